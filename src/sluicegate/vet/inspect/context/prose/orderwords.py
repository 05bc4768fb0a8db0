"""The words of orders, language by language. What the tables mean stands in ``tongue``."""

from __future__ import annotations

from sluicegate.vet.inspect.context.prose.tongue import tongue

_LATIN = r"[a-z]"

ENGLISH = tongue(
    "English",
    _LATIN,
    told=r"(?:must|shall|should|needs? to|has to|have to|got to|is to|are to|ought to|required to|necessary to|expected to|supposed to"
    r"|make sure (?:to|you|that)|be sure to|remember to|go ahead and|(?:i )?want you to|you (?:can|will|should|must|may)"
    r"(?: now| then| first)?)(?: \w{2,12}){0,2}? (?:have been |be )?(?:re-?)?(?:run|executed?|pasted?|launch(?:ed)?|invoked?|sourced?"
    r"|perform(?:ed)?|carried out|carry out|applied|apply|typed?|evaluated?|issued?)|(?:gets?|is|are) (?:run|executed|pasted) (?:first|before|on|at|every|each)|(?:begin|start|proceed|kick \w{2,8} off|by)(?: by)? (?:executing|running|pasting|launching|applying|invoking|sourcing)|(?:make sure|ensure|see to it)(?: \w{2,12}){0,6}? (?:run|executed|pasted|applied)",
    does=r"(?:re-?)?(?:run|execute|paste|launch|invoke|source|eval(?:uate)?|perform|carry out|obey|apply|issue|type|fire off|fire up"
    r"|kick off|trigger|go through|work through|step through|copy(?: and |[-/ &]{1,3})paste|put)",
    fill=r"then|and|now|please|always|first|firstly|just|simply|next|finally|also|important|required|note|step|begin by|start by|to"
    r"|before (?:you )?\w{2,12}(?: \w{1,12}){0,4}|after (?:you )?\w{2,12}(?: \w{1,12}){0,4}|once|you|agents?|the agent|assistant",
    back=r"above|previous|preceding|prior|earlier|aforementioned|foregoing|up there",
    ahead=r"below|following|underneath|beneath",
    what=r"commands?|lines?|(?:code )?blocks?|snippets?|one-?liners?|scripts?|steps?|code|payloads?|entr(?:y|ies)|rows?|strings?"
    r"|examples?|samples?|quot(?:e|ation)s?",
    due=r"required|mandatory|obligatory|compulsory|not optional|prerequisites?",
    when=r"first|before|immediately|at once|right away|(?:every|each) (?:time|session|run)|on (?:start|startup|launch)",
    each=r"all|every|each|everything|any",
    denies=r"never|not|\w{2,6}n[’']t|cannot|no|avoid|refuse|reject|instead of|rather than|flag|detects?|(?<!the )(?<!this )(?<!that )(?<!code )(?<!shell )block|whether|if",
    undoes=r"hesitat\w{1,4}|forget|fail|skip|neglect|omit|miss",
    reports=r"attackers?|adversar\w{1,4}|(?:asks?|tells?|tricks?|instructs?|urges?) (?:the )?(?:users?|agents?|you|victims?)",
    common=r"the|a|an|of|to|and|in|is|are|for|with|this|that|these|it|you|your|on|or|as|be|by|if|not|from|any|all|use|when|at|no"
    r"|can|will|must|never|should|run|do|does|via|into|using|has|have|was|were|its|only|each|may|after|before|then|but|which|out",
)
CHINESE = tongue(
    "Chinese",
    r"[\u4e00-\u9fff]",
    spaced=False,
    told=r"(?:别忘了?|不要忘记?|勿忘|切记|请|請|必须|必須|务必|務必|需要|需|应当|應當|应该|應該|应|须|須|首先|先|立即|立刻|马上|馬上|现在|現在|然后|然後|接着|接著|直接|一定要|记得"
    r"|記得|可以|要|再|并|並|逐[条條个個一行]+|依次|全部|都|你会|你要|帮我|给我|代理)[^,。;:!?\n]{0,8}?(?:执行|執行|运行|運行|跑|粘贴|貼上|贴到|键入|输入|輸入"
    r"|启动|啟動|照做|遵循|遵照|遵守|按照|应用|應用|套用|安装|安裝|敲|完成|调用|調用)"
    r"|(?:把|将|將)[^,。;\n]{0,30}(?:执行|執行|运行|運行|跑|粘贴|貼|复制|複製|输入|輸入|敲)",
    does=r"执行|執行|运行|運行|跑一[下遍]|跑|粘贴|貼上|键入|输入|輸入|启动|啟動|照做|遵循|遵照|按照|按|应用|套用|安装|安裝|复制|複製|照着|照|完成|调用|調用",
    fill=r"你|您|代理|智能体|助手|步骤|步驟|第|一|二|三|重要|注意|然后|然後|接着|并且|并|並|再|先|首先|立即|马上|现在|请|請|(?:使用|开始|開始|安装|启动|操作|回答)[^,。\n]{0,6}(?:之)?前",
    back=r"上面|以上|上述|上方|前面|前述|先前|上文|上列|上一|上边|所示|所列|列出|刚才|剛才|之前的|上頭|上头",
    ahead=r"下面|以下|下述|下方|下列|如下|接下来|接下來|后面|後面|下文|下边",
    here=r"这|這|该|該|此|那|它|其中|每",
    what=r"命令|指令|代码|代碼|程式碼|脚本|腳本|语句|語句|步骤|步驟|内容|內容|(?<![执執运運进進实實流银銀可自])行(?![为為动動业業])|块|塊|条|條|操作|字符串|示例|例子|项|項|片段",
    due=r"必需|必须|必須|必要|强制|強制|不可省略|不能跳过|必做|前提",
    when=r"首先|先|之前|前|立即|立刻|马上|現在|现在|每次|一开始|启动时|随后",
    each=r"所有|全部|每|一切|逐|都",
    denies=r"不要|不得|不能|不可|不应|不應|切勿|请勿|請勿|勿|别|別|绝不|絕不|永远不|禁止|防止|避免|拒绝|拒絕|阻止|而不是|从不|不会|不必|无需|无法|是否|如果|若",
    undoes=r"忘|犹豫|猶豫|省略|跳过|跳過|遗漏|略过|错过",
    reports=r"攻击者|攻擊者|要求(?:用户|使用者|受害)|诱导|誘導|诱骗|试图|試圖|企图|是否|会(?:执行|运行)|声称|谎称",
)
SPANISH = tongue(
    "Spanish",
    _LATIN,
    told=r"(?:debes?|deberas|deberia[sn]?|deben|hay que|tienes? que|tienen que|ha de|has de|es (?:obligatorio|necesario|preciso|imprescindible"
    r"|requisito)|se (?:debe|requiere|necesita)|hace falta|asegurate de|asegurese de|no (?:olvides|olvide|dejes de|deje de)|recuerda|recuerde"
    r"|procede a|proceda a|vas? a|puedes?|conviene|quiero que|necesito que)(?: \w{2,12}){0,2}? (?:a )?(?:ser |estar )?(?:ejecut|lanz|corr|peg|aplic"
    r"|segu|introduc|tecle|arranc|invoc|realiz|obedec|cumpl|instal|complet)\w{0,10}|(?:ejecut|peg|lanz|corr|sig|aplic|obedez|copi)\w{1,5}(?:l[oa]s?)",
    does=r"(?:ejecut|lanz|peg|aplic|tecle|arranc|invoc|copi|instal|complet|realiz)(?:a|e|ar|en|ad|emos|as)|pegue|pegar|aplique|introduzca|introduce"
    r"|introducir|corr(?:e|a|er|an)|sig(?:ue|a|an)|seguir|obedec(?:e|er)|obedezca|cumpl(?:e|a|ir)|haz|haga|hacer|usa|use|utiliza|utilice",
    fill=r"y|e|luego|despues|entonces|ahora|primero|antes|por favor|siempre|solo|simplemente|tambien|importante|obligatorio|paso|nota|atencion"
    r"|antes de(?: \w{2,14}){1,4}|al(?: \w{2,14}){1,3}|para(?: \w{2,14}){1,4}|a continuacion|inmediatamente|usted|tu|agente|el agente|en primer lugar",
    back=r"anterior(?:es)?|anteriormente|arriba|precedentes?|previ[oa]s?|mencionad[oa]s?|mostrad[oa]s?|citad[oa]s?|indicad[oa]s?|superior(?:es)?",
    ahead=r"siguientes?|abajo|a continuacion|inferior(?:es)?|que siguen?|debajo",
    here=r"est[eoa]s?|es[eoa]s?|dich[oa]s?|lo que (?:ves|aparece|se muestra)|\w{4,}(?:al[oa]s?|el[oa]s?|arl[oa]s?|erl[oa]s?)",
    what=r"comandos?|ordenes|orden|lineas?|bloques?|pasos?|scripts?|instruccion(?:es)?|codigo|fragmentos?|textos?|cadenas?|ejemplos?|filas?"
    r"|entradas?|procedimientos?|lo",
    due=r"obligatori[oa]s?|necesari[oa]s?|requerid[oa]s?|imprescindibles?",
    when=r"primero|antes|siempre|ahora|inmediat\w{1,8}|ya mismo|de inmediato|cada vez|al (?:inicio|iniciar|empezar)",
    each=r"tod[oa]s?|cada|cualquier",
    denies=r"no|nunca|jamas|evit[ae]r?|ni|rechaz\w{1,3}|detect\w{1,4}|impid\w{1,3}|bloque\w{1,3}|si",
    undoes=r"olvid\w{1,4}|dud\w{1,4}|dejes? de|deje de|omit\w{1,3}|salt\w{1,3}|esperar?|demora",
    reports=r"atacantes?|(?:pid|solicit|orden|dic)\w{1,4} (?:a|al|que)|intent\w{1,4}|engañ\w{1,4}",
    common=r"el|la|los|las|de|del|que|y|en|un|una|es|por|con|para|se|lo|al|su|como|este|esta|esto|antes|debe|son|todo|todos",
)
FRENCH = tongue(
    "French",
    _LATIN,
    told=r"(?:dois|doit|devez|doivent|devra|devront|il faut|il est (?:obligatoire|necessaire|imperatif|indispensable) (?:de|d['’])"
    r"|il convient (?:de|d['’])|veuillez|pensez a|n['’]oubliez pas (?:de|d['’])|n['’]oublie pas (?:de|d['’])|assurez-vous (?:de|d['’])|assure-toi (?:de|d['’])"
    r"|commence[rz]? par|je veux que tu|merci (?:de|d['’])|a)(?:(?: |(?<=['’]))\w{2,14}){0,2}?(?: |(?<=['’]))(?:etre )?(?:execut|lanc|coll|appliqu|suiv|tap|saisi|demarr|invoqu|realis|effectu|obei|copi)\w{0,6}"
    r"|(?:execut|lanc|coll|appliqu|suiv|tap|copi)(?:e|ez|ons)-(?:l[ae]|les)",
    does=r"(?:execut|lanc|coll|appliqu|demarr|invoqu|effectu|realis|copi|install|tap)(?:e|es|ez|er|ons)|sui[st]|suiv(?:ez|re|ons)|saisi(?:s|ssez|r)|fai(?:s|tes|re)"
    r"|obei(?:s|ssez|r)|entr(?:e|ez|er)|utilis(?:e|ez|er)",
    fill=r"et|puis|ensuite|alors|maintenant|d['’]abord|d|abord|s['’]il (?:te|vous) plait|toujours|important|obligatoire|etape|note|attention|tout|avant"
    r"|avant (?:de|d['’]|toute?)(?: ?\w{2,14}){1,4}|pour(?: \w{2,14}){1,4}|immediatement|en premier lieu|tu|vous|agent|l['’]agent|simplement|seulement",
    back=r"ci-dessus|precedente?s?|plus haut|au-dessus|mentionnee?s?|anterieure?s?|cite[e]?s?|affiche[e]?s?|indique[e]?s?|qui precede(?:nt)?",
    ahead=r"ci-dessous|suivante?s?|plus bas|ci-apres|qui sui(?:t|vent)|en dessous",
    here=r"ce|cet|cette|ces|cela|ceci|celle-ci|celui-ci|\w{4,}-(?:la|le|les)|(?:de )?l['’]|tout ceci",
    what=r"commandes?|lignes?|blocs?|etapes?|scripts?|instructions?|code|extraits?|textes?|chaines?|exemples?|entrees?",
    due=r"obligatoires?|necessaires?|requise?s?|imperati\w{1,4}|indispensables?",
    when=r"d['’]abord|avant|toujours|maintenant|immediat\w{1,7}|tout de suite|chaque fois|au demarrage|sans attendre|en premier",
    each=r"tou(?:s|tes?|t)|chaque|chacune?",
    denies=r"ne|n|jamais|pas|evit\w{1,2}|refus\w{1,2}|detect\w{1,4}|empech\w{1,2}|bloqu\w{1,2}|plutot que|si",
    undoes=r"oubli\w{1,2}|hesit\w{1,3}|manqu\w{1,3}|saut\w{1,3}|attendre|omett\w{1,3}",
    reports=r"attaquants?|(?:demande|ordonne|dit)(?:nt)? (?:a|de|que)|tent\w{1,4}|piratee?s?",
    common=r"le|la|les|l|d|de|du|des|et|un|une|est|en|que|qui|dans|pour|par|sur|avec|au|aux|ce|cette|ces|il|vous|ne|pas|avant|tout|sont|doit",
)
GERMAN = tongue(
    "German",
    _LATIN,
    told=r"(?:muss|mussen|musst|sollst?|sollen|sollte[nt]?|bitte|zwingend|unbedingt|zuerst|vorher|immer|jetzt|sofort)"
    r"(?: [\w.-]{2,18}){0,8}? (?:zu )?(?:ausgefuhrt|ausfuhren|auszufuhren|gestartet|starten|eingefugt|einfugen|eingegeben|eingeben|befolgt|befolgen|angewendet"
    r"|ablaufen|aufrufen|aufgerufen|abarbeiten|abgearbeitet|kopieren|kopiert|durchfuhren|durchgefuhrt|abgesetzt|absetzen)"
    r"|(?:vergiss|vergessen sie|denke?|denken sie)(?: \w{2,12}){0,2},(?: [\w.-]{2,18}){1,8} (?:auszufuhren|einzufugen|einzugeben|zu (?:starten|befolgen|kopieren))|fuhre?(?: sie)?(?: [\w.-]{2,18}){1,10}? (?:aus|durch)|gib(?: [\w.-]{2,18}){1,10}? ein|fug(?:e|en sie)(?: [\w.-]{2,18}){1,10}? ein"
    r"|(?:ausfuhren|einfugen|eingeben|kopieren|abarbeiten|starten)(?=[^\w]*$)|(?:ist|sind)(?: [\w.-]{2,18}){0,8}? (?:auszufuhren|einzufugen|einzugeben|zu (?:starten|befolgen|kopieren))",
    does=r"fuhr(?:e|en sie|t)?|start(?:e|en sie|et)|befolg(?:e|en sie|t)|kopier(?:e|en sie|t)|wend(?:e|en sie)|ruf(?:e|en sie)?|folg(?:e|en sie)|nutz(?:e|en sie)"
    r"|verwend(?:e|en sie)|fug(?:e|en sie)|gib|geben sie|tipp(?:e|en sie)|mach(?:e|en sie)?|arbeit(?:e|en sie)|lass|lassen sie|installier(?:e|en sie)",
    fill=r"und|dann|danach|anschliessend|jetzt|nun|zuerst|bitte|immer|einfach|wichtig|pflicht|schritt|hinweis|achtung|als erstes|du|sie|agent|der agent"
    r"|bevor(?: \w{2,18}){1,5}|vor(?: \w{2,18}){1,4}|zum(?: \w{2,18}){1,3}|sofort|unbedingt|stets",
    back=r"obig\w{1,2}|oben\w{0,8}|vorstehend\w{0,2}|vorherig\w{1,2}|vorig\w{1,2}|vorangeh\w{2,5}|genannt\w{1,2}|gezeigt\w{1,2}|daruber|voranstehend\w{0,2}|aufgefuhrt\w{0,2}",
    ahead=r"folgend\w{0,2}|unten\w{0,8}|nachfolgend\w{0,2}|nachstehend\w{0,2}|untig\w{1,2}|darunter|untenstehend\w{0,2}",
    here=r"dies\w{0,2}|das|den|jene\w{0,2}|ihn|es|sie",
    what=r"befehl\w{0,3}|kommando\w{0,2}|zeilen?|blocke?\w{0,2}|block|schritt\w{0,2}|skript\w{0,2}|anweisung\w{0,2}|code\w{0,6}|schnipsel|ausschnitt|texte?|zeichenkette|beispiel\w{0,2}|eintr\w{2,5}|aufruf\w{0,2}",
    due=r"erforderlich|pflicht|verpflichtend|zwingend|notwendig|obligatorisch|vorgeschrieben",
    when=r"zuerst|vorher|bevor|vor|sofort|immer|jetzt|jedes mal|unverzuglich|umgehend|als erstes|beim start",
    each=r"alle\w{0,2}|jede\w{0,2}|samtliche\w{0,2}",
    denies=r"nicht|niemals|nie|kein\w{0,2}|vermeid\w{1,2}|verhinder\w{1,2}|erkenn\w{1,2}|statt|anstatt|falls|ob|blockier\w{1,2}|lehn\w{1,2}",
    undoes=r"verg[ei]ss\w{0,2}|zoger\w{1,2}|versaum\w{1,2}|auslass\w{0,2}|uberspring\w{0,2}|warten",
    reports=r"angreifer\w{0,2}|kann|konnen|konnte\w{0,2}|lasst|bringt|um|fordert|fordern|verlangt|versuch\w{1,3}|opfer",
    common=r"der|die|das|und|ist|ein|eine|einen|den|dem|des|zu|mit|von|fur|auf|im|in|nicht|sie|es|oder|wird|werden|muss|diese|dieser|diesen|alle|bei|als|vor|aus",
)
PORTUGUESE = tongue(
    "Portuguese",
    _LATIN,
    told=r"(?:deves?|devera|deverao|devem|voce deve|precisas?|precisam|tem (?:de|que)|e (?:obrigatorio|necessario|preciso|imprescindivel)|ha que|certifique-se de"
    r"|nao (?:se )?esque(?:ca|cas) de|nao deixe de|lembre-se de|comece por|pode[s]?|quero que|por favor)(?: \w{2,12}){0,2}? (?:ser |estar )?"
    r"(?:execut|rod|lanc|corr|col|aplic|segu|sig|digit|inici|invoc|realiz|obedec|cumpr|copi|instal)\w{1,8}|(?:execut|rod|cop?i|col)\w{1,3}-[oa]s?|executa-l[oa]s?|roda-l[oa]s?",
    does=r"(?:execut|rod|lanc|col|aplic|digit|inici|invoc|realiz|copi|instal)(?:a|e|ar|em|as)|aplique|cole|corra|correr|siga|segue|seguir|obedec(?:a|er)|cumpr(?:a|ir)|faca|fazer|faz|us(?:e|a|ar)|utilize",
    fill=r"e|depois|entao|agora|primeiro|antes|por favor|sempre|apenas|simplesmente|tambem|importante|obrigatorio|passo|nota|atencao|antes de(?: \w{2,14}){1,4}|ao(?: \w{2,14}){1,3}"
    r"|para(?: \w{2,14}){1,4}|a seguir|imediatamente|voce|agente|o agente|em primeiro lugar|em seguida",
    back=r"anterior(?:es)?|anteriormente|acima|precedentes?|previ[oa]s?|mencionad[oa]s?|mostrad[oa]s?|citad[oa]s?|indicad[oa]s?",
    ahead=r"seguintes?|abaixo|a seguir|que segue[m]?",
    here=r"est[ea]s?|ess[ea]s?|isto|isso|aquil?o|\w{3,}-l?[oa]s?",
    what=r"comandos?|ordens|linhas?|blocos?|passos?|etapas?|scripts?|instruc(?:ao|oes)|codigo|trechos?|textos?|exemplos?|entradas?",
    due=r"obrigatori[oa]s?|necessari[oa]s?|exigid[oa]s?|imprescindive(?:l|is)",
    when=r"primeiro|antes|sempre|agora|imediat\w{1,8}|ja|cada vez|ao (?:iniciar|comecar)",
    each=r"tod[oa]s?|cada|qualquer",
    denies=r"nao|nunca|jamais|evit\w{1,2}|nem|rejeit\w{1,3}|detect\w{1,4}|impe\w{1,4}|bloque\w{1,3}|se",
    undoes=r"esque\w{1,4}|hesit\w{1,3}|deix\w{1,2}|pul\w{1,2}|omit\w{1,3}|esperar|demora",
    reports=r"atacantes?|invasor(?:es)?|(?:ped|solicit|mand|diz)\w{0,3} (?:a|ao|que|para)|tent\w{1,3}",
    common=r"o|a|os|as|de|do|da|dos|das|que|e|em|um|uma|para|por|com|no|na|se|ao|este|esta|antes|deve|sao|todo|todos|voce",
)
RUSSIAN = tongue(
    "Russian",
    r"[\u0400-\u04ff]",
    told=r"(?:выполни|исполни|запусти|вставь|скопируи|примени|введи|набери|проделаи|прогони|запускаи|выполняи|исполняи|вызови|активируи|инициируи)(?:те)?|следуи(?:те)?|сделаи(?:те)?"
    r"|(?:нужно|необходимо|надо|следует|требуется|обязательно|не забудь(?:те)?|не забываи(?:те)?|должен|должна|должны|обязан[аы]?|сначала|сперва|прошу|можно|стоит)(?: [\w-]{2,18}){0,5}? (?:быть )?"
    r"(?:выполн|исполн|запус|запущ|встав|скопир|примен|ввес|введ|набра|следова|продела|прогна)\w{0,6}|подлежат? (?:\w+ )?(?:выполнению|запуску|исполнению)|да исполнит\w{0,3}",
    back=r"выше\w{0,12}|предыдущ\w{2,3}|приведенн\w{2,3}|указанн\w{2,3}|показанн\w{2,3}|перечисленн\w{2,3}|предшествующ\w{2,3}|сверху|ранее",
    ahead=r"ниже\w{0,12}|следующ\w{2,3}|снизу|далее",
    here=r"эт(?:о|у|от|и|ои|ому|их|ого)|ее|его|их|данн\w{2,3}|все это|то",
    what=r"команд\w{0,3}|строк\w{0,3}|блок\w{0,3}|фрагмент\w{0,3}|шаг\w{0,3}|скрипт\w{0,3}|код\w{0,3}|инструкци\w{0,3}|указани\w{0,3}|пример\w{0,3}|текст\w{0,3}|пункт\w{0,3}|действи\w{0,3}",
    due=r"обязательн\w{1,3}|необходим\w{0,3}|требу\w{2,5}|строго",
    when=r"сначала|сперва|перед|до|прежде|немедленно|сразу|всегда|теперь|сеичас|кажды\w{1,2}|при (?:запуске|старте)",
    each=r"все|всех|кажд\w{2,3}|любы\w{1,2}|весь|всю",
    denies=r"не|никогда|нельзя|запрещ\w{2,5}|избега\w{1,4}|вместо|обнаруж\w{1,6}|блокир\w{1,4}|если",
    undoes=r"забуд\w{1,4}|забыв\w{1,4}|пропус\w{1,4}|пропущ\w{1,4}|медл\w{1,4}|сомнева\w{1,5}|колебл\w{1,4}",
    reports=r"злоумышленник\w{0,3}|атакующ\w{2,3}|прос(?:ит|ят)|требуют|пыта\w{2,4}|хакер\w{0,3}|жертв\w{0,3}",
)
JAPANESE = tongue(
    "Japanese",
    r"[\u3040-\u30ff]",
    spaced=False,
    told=r"(?:実行|起動|適用|貼り付け|ペースト|コピー|入力|インストール|処理|遂行|実施)(?:し?て(?!は|い[なるま]|おり|しま|も)|しろ|せよ|しなさい|すること|する必要|するように|"
    r"しなければ|しないと|が必要|が必須|は必須|は必要|します|するべき|すべき|してもら|願います|をお願い|のこと)|(?:走らせ|動かし|打ち込ん|打っ|流し|回し|叩い|貼っ|従っ|やっ|行っ)(?:て|で)(?:から|ください|下さい|おいて|く(?:ださい|れ)|、|,|。|$)"
    r"|(?:走らせ|動かす|従う|従い|実行する)(?:こと|必要|なさい|よう|ます|べき)|お使いください|ご実行",
    back=r"上の|上記|以上の|前の|前述|先ほど|先の|上に|さきほど|前掲|上述",
    ahead=r"下の|下記|以下|次の|後述|続く|下に",
    here=r"この|これ|その|それ|あの|当該|本",
    what=r"コマンド|行|ブロック|スクリプト|手順|ステップ|コード|命令|指示|例|内容|項目|一行|文字列|操作",
    due=r"必須|必要|義務",
    when=r"まず|最初|先に|前に|直ちに|すぐ|今すぐ|必ず|毎回|起動時|開始時|はじめ",
    each=r"すべて|全て|全部|各|どれも|一つずつ|順番",
    denies=r"しないで|しないこと|してはいけ|してはなら|ては(?:いけ|なら)|しません|するな|禁止|避け|拒否|検出|検知|せず|ないで|ないよう|場合|かどうか",
    undoes=r"忘れ|ためらわ|迷わ|飛ばさ|省略し|怠ら",
    reports=r"攻撃者|ように(?:求め|要求|指示)|させようと|試み|と称し|ユーザーに(?:求め|要求)|被害者",
)
KOREAN = tongue(
    "Korean",
    r"[\uac00-\ud7a3]",
    spaced=False,
    told=r"(?:실행|수행|적용|입력|복사|설치|진행|시작|구동|처리|호출)\s?(?:하세요|하십시오|하시오|해\s?주세요|해주십시오|하라|해라|해\s?줘|해야|하도록|할 것|하시기|해\s?두세요|하고|한\s?(?:다음|후|뒤)|합니다|바랍니다|이?\s?필수|이?\s?필요|되어야|돼야|시켜|부터)"
    r"|(?:붙여\s?넣|따르|돌리|치|띄우|돌려|따라|붙여)(?:으세요|으십시오|세요|십시오|시오|어라|어?\s?주세요|어?\s?주십시오|라|고|어야|야|해야)",
    back=r"위의|위에|위\s|윗|앞의|앞서|이전|상기|위쪽|방금",
    ahead=r"아래|다음|하단|이하|밑의|뒤의|하기",
    here=r"이\s|이것|이를|해당|그\s|그것|저\s|본",
    what=r"명령|줄|블록|블럭|스크립트|단계|코드|지시|예시|예제|내용|항목|절차|문자열|커맨드",
    due=r"필수|필요|의무",
    when=r"먼저|우선|전에|즉시|바로|지금|반드시|항상|매번|시작\s?시|처음",
    each=r"모든|모두|전부|각|매|하나씩|순서대로",
    denies=r"하지\s?(?:마|말|않)|지\s?(?:마|말|않)|금지|절대|막기|방지|탐지|거부|피하|여부|경우",
    undoes=r"잊지|망설이지|빠뜨리지|건너뛰지|주저",
    reports=r"공격자|요구하|유도하|시도|피해자|라고\s?(?:말|지시)",
)
