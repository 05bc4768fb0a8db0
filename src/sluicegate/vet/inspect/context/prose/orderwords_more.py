"""The words of orders in more languages; see ``orderwords``."""

from __future__ import annotations

from sluicegate.vet.inspect.context.prose import orderwords as first
from sluicegate.vet.inspect.context.prose.tongue import Tongue, tongue

_LATIN = r"[a-z]"
ARABIC = tongue(
    "Arabic",
    r"[\u0600-\u06ff]",
    told=r"(?:ف|و)?(?:نفذ|نفذي|نفذوا|شغل|شغلي|شغلوا|طبق|طبقوا|انسخ|انسخوا|الصق|الصقوا|اتبع|اتبعوا|اكتب|ادخل|استدع|ابدا)(?:ه|ها|هم|هما)?"
    r"|(?:ف|و)?قم (?:اولا )?ب(?:تنفيذ|تشغيل|تطبيق|نسخ|لصق|اتباع|كتابة|ادخال|استدعاء)(?:ه|ها)?|قوموا ب(?:تنفيذ|تشغيل)"
    r"|(?:و|ف)?(?:لا تنس|تذكر|يجب|ينبغي|يلزم|لا بد|عليك|علي ال\w{2,10}|من الضروري|من اللازم|يتعين|يرجي|الرجاء|يتطلب|يتوجب)(?: [\u0600-\u06ff]{2,12}){0,3}? (?:ان )?(?:ب|من )?(?:تنفيذ|تشغيل|تطبيق|نسخ|لصق|اتباع|تنفذ|تشغل|ينفذ|يشغل)\w{0,2}",
    back=r"اعلاه|السابق[ةه]?|السابقين|المذكور[ةه]?|السالف[ةه]?|فوق|الانف[ةه]?|المبين[ةه]?|المعروض[ةه]?|الوارد[ةه]?|المدرج[ةه]?",
    ahead=r"ادناه|التالي[ةه]?|الاتي[ةه]?|تحت|اسفله|ما يلي|الموالي[ةه]?",
    here=r"هذا|هذه|ذلك|تلك|هولاء",
    what=r"ال(?:امر|اوامر|سطر|اسطر|كتل[ةه]|خطوات|خطو[ةه]|سكريبت|نص|كود|شيفر[ةه]|برنامج|تعليمات|مقطع|مثال|امثل[ةه])|امر|اوامر|سطر|خطو[ةه]",
    due=r"الزامي[ةه]?|ضروري[ةه]?|مطلوب[ةه]?|واجب[ةه]?|اجباري[ةه]?|لازم[ةه]?",
    when=r"اولا|قبل|فورا|الان|دايما|حالا|كل مر[ةه]|عند (?:البدء|التشغيل)|مباشر[ةه]",
    each=r"كل|جميع|كاف[ةه]",
    denies=r"لا|لن|ممنوع|تجنب|عدم|يكشف|ارفض|اذا|ليس",
    undoes=r"تنس|تنسي|تتردد|تهمل|تتجاوز|بد",
    reports=r"المهاجم\w{0,3}|مهاجم\w{0,3}|يطلب|تطلب|يحاول|تحاول|الضحي[ةه]",
)
HINDI = tongue(
    "Hindi",
    r"[\u0900-\u097f]",
    spaced=False,
    told=r"(?:चला|लगा|दबा|अपना|दोहरा)(?:एं|एँ|ओ|इए|इये|ना है|ना होगा|ना चाहिए|ना ज़रूरी|ना जरूरी|ना अनिवार्य|ना आवश्यक|ने चाहिए|ने होंगे|ने हैं|नी है|नी चाहिए|नी होगी|कर|ए|ऐं)|(?:निष्पादित|क्रियान्वित|लागू|शुरू|पेस्ट|कॉपी|रन|एक्ज़ीक्यूट|एक्जीक्यूट|इंस्टॉल|पालन|टाइप|पूरा|अमल)"
    r"\s?(?:करें|करे|करो|कीजिए|कीजिये|करना|किया जाना|कर लें|कर दें|करके|ज़रूर|होना चाहिए|में लाएं)",
    back=r"ऊपर|उपरोक्त|उपर्युक्त|पिछल|पूर्व|पहले वाल|पहले दि",
    ahead=r"नीचे|निम्न|अगल|निम्नलिखित|आगे दि",
    here=r"यह|इस|इन|ये|उस|उन",
    what=r"कमांड|आदेश|पंक्ति|लाइन|ब्लॉक|स्क्रिप्ट|चरण|कोड|निर्देश|उदाहरण|कदम|क़दम|स्टेप",
    due=r"अनिवार्य|ज़रूरी|जरूरी|आवश्यक",
    when=r"पहले|तुरंत|अभी|हमेशा|फौरन|शुरू|हर बार|सबसे पहले",
    each=r"सभी|सब|हर|प्रत्येक|सारे|सारी",
    denies=r" न करें|मत |नहीं|कभी न|रोके|रोकन|रोकत|बचें|पता लगा|अगर|यदि",
    undoes=r"भूल|हिचक|छोड़|चूक",
    reports=r"हमलावर|कहता|कहते|कोशिश|पीड़ित|मांग",
)
INDONESIAN = tongue(
    "Indonesian",
    _LATIN,
    told=r"(?:harus|wajib|perlu|mesti|pastikan|tolong|mohon|silakan|silahkan|hendaknya|segera|ingatlah|kamu bisa|anda bisa|jangan lupa)(?: \w{2,14}){0,5}?"
    r" (?:untuk )?(?:(?:di)?jalankan|menjalankan|dieksekusi|eksekusi|mengeksekusi|tempel(?:kan)?|ditempel(?:kan)?|ikuti|diikuti|mengikuti|terapkan|diterapkan|ketik(?:kan)?|diketik|salin|disalin|lakukan|dilakukan|laksanakan|dilaksanakan)|jalankanlah|eksekusilah|laksanakanlah",
    does=r"jalankan|eksekusi|eksekusikan|tempel(?:kan)?|ikuti|terapkan|ketik(?:kan)?|salin|lakukan|laksanakan|luncurkan|panggil|masukkan|gunakan|pasang|larikan",
    fill=r"lalu|kemudian|dan|sekarang|dulu|pertama|selalu|cukup|juga|penting|wajib|langkah|catatan|sebelum(?: \w{2,14}){1,4}|untuk(?: \w{2,14}){1,4}|setelah(?: \w{2,14}){1,4}"
    r"|segera|langsung|anda|kamu|agen|pertama-tama|terlebih dahulu",
    back=r"di ?atas|sebelumnya|tersebut|tadi|terdahulu|sebelum ini",
    ahead=r"di ?bawah(?: ini)?|berikut(?:nya)?|selanjutnya",
    here=r"ini|itu|tersebut",
    what=r"perintah|baris|blok|skrip|script|langkah|kode|instruksi|contoh|potongan|teks|petunjuk|isi|laksana|daftar",
    due=r"wajib|diwajibkan|diperlukan|harus|diharuskan",
    when=r"dulu|dahulu|sebelum|segera|sekarang|selalu|langsung|setiap kali|pertama|saat mulai",
    each=r"semua|seluruh|setiap|masing-masing|segala",
    denies=r"jangan|tidak|hindari|mencegah|mendeteksi|menolak|dilarang|bukan|jika|apakah|tak",
    undoes=r"lupa|ragu|lewat\w{0,3}|abai\w{0,3}|menunda",
    reports=r"penyerang|meminta|menyuruh|mencoba|korban|peretas",
    common=r"yang|dan|di|ini|itu|untuk|dengan|dari|pada|adalah|ke|atau|tidak|akan|harus|oleh|dalam|jika|setiap|semua|sebelum|agar|anda",
)
ITALIAN = tongue(
    "Italian",
    _LATIN,
    told=r"(?:devi|deve|dovete|devono|bisogna|occorre|e (?:obbligatorio|necessario|indispensabile)|va|vanno|assicurati di|ricorda di|ricordati di|non dimenticare di|puoi|voglio che|si prega di)(?: \w{2,12}){0,2}?"
    r" (?:essere )?(?:esegu|lanc|incoll|applic|segu|digit|avvi|invoc|copi|compi|install)\w{1,8}|(?:esegui|lancia|incolla|copia|avvia)(?:l[oaie])|eseguir(?:l[oaie])",
    does=r"esegu(?:i|a|ire|ite)|lanci?(?:a|are|ate|i)|incoll(?:a|are|ate|i)|applic(?:a|are|ate|hi)|segu(?:i|a|ire|ite)|digit(?:a|are|i)|avvi(?:a|are|ate)|copi(?:a|are|ate)|fai|fare|fate|usa|usare|install(?:a|are)",
    fill=r"e|poi|quindi|ora|adesso|prima|per favore|sempre|semplicemente|anche|importante|obbligatorio|passo|passaggio|nota|attenzione|prima di(?: \w{2,14}){1,4}|per(?: \w{2,14}){1,4}|subito|tu|agente|l['’]agente|innanzitutto",
    back=r"precedent[ei]|sopra|suddett[oaie]|sopracitat[oaie]|sopraindicat[oaie]|anterior[ei]|riportat[oaie]|mostrat[oaie]",
    ahead=r"seguent[ei]|sotto|sottostant[ei]|qui di seguito|di seguito",
    here=r"quest[oaei]|quell[oaei]|cio|\w{4,}l[oaie]",
    what=r"comand[oi]|rig[ah]e?|blocc(?:o|hi)|pass[oi]|passagg[io]{1,2}|script|istruzion[ei]|codice|frammento|test[oi]|esemp[io]{1,2}|voc[ei]",
    due=r"obbligatori[oae]?|necessari[oae]?|richiest[oaie]|indispensabil[ei]",
    when=r"prima|subito|sempre|ora|adesso|immediat\w{1,7}|ogni volta|all['’]avvio",
    each=r"tutt[oaie]|ogni|ciascun[oa]?",
    denies=r"non|mai|evita\w{0,2}|rifiuta\w{0,2}|rileva\w{0,2}|blocca\w{0,2}|se|invece",
    undoes=r"dimentic\w{1,4}|esit\w{1,3}|salt\w{1,3}|omett\w{1,3}|indugi\w{0,3}",
    reports=r"attaccant[ei]|aggressor[ei]|chied\w{1,3}|tent\w{1,4}",
    common=r"il|lo|la|i|gli|le|di|del|della|che|e|in|un|una|per|con|su|non|al|da|si|questo|questa|prima|deve|sono|tutti|come|dei",
)
DUTCH = tongue(
    "Dutch",
    _LATIN,
    told=r"(?:moet|moeten|dient|dienen|zal|zullen|verplicht|altijd|eerst|nu|vergeet niet(?: om)?|zorg dat|gelieve|kun je|u kunt)(?: [\w.-]{2,18}){0,8}? (?:te )?(?:uitgevoerd|uitvoeren|uit te voeren|voeren|gestart|starten|geplakt|plakken|gevolgd|volgen|toegepast|draaien|gedraaid|typen)"
    r"|voer(?: [\w.-]{2,18}){1,10}? (?:uit|in)",
    does=r"voer|start|plak|volg|draai|typ|kopieer|gebruik|pas|run|doe|installeer|doorloop",
    fill=r"en|dan|daarna|nu|eerst|altijd|gewoon|ook|belangrijk|verplicht|stap|let op|voordat(?: \w{2,14}){1,4}|voor(?: \w{2,14}){1,3}|om(?: \w{2,14}){1,4}|u|jij|je|agent|de agent|meteen|onmiddellijk",
    back=r"bovenstaand\w{0,2}|hierboven|vorig\w{0,2}|voorgaand\w{0,2}|eerder\w{0,2}|boven|genoemd\w{0,2}",
    ahead=r"onderstaand\w{0,2}|hieronder|volgend\w{0,2}|onder",
    here=r"dit|deze|dat|die|het",
    what=r"commando['’]?s?|opdracht\w{0,2}|regels?|blok\w{0,3}|stap\w{0,3}|scripts?|instructies?|code|fragment\w{0,2}|tekst|voorbeeld\w{0,2}",
    due=r"verplicht|vereist|noodzakelijk|nodig",
    when=r"eerst|voordat|voor|meteen|onmiddellijk|altijd|nu|direct|telkens",
    each=r"alle|elk\w?|ieder\w?",
    denies=r"niet|nooit|geen|voorkom\w{0,3}|vermijd|detecte\w{1,3}|blokke\w{1,3}|als|of",
    undoes=r"vergeet|aarzel\w{0,2}|overslaan",
    reports=r"aanvaller\w{0,2}|vraagt|probe\w{2,5}",
    common=r"de|het|een|en|van|is|in|op|te|dat|die|voor|met|niet|zijn|aan|er|om|ook|als|bij|dit|deze|moet|alle|worden|wordt",
)
POLISH = tongue(
    "Polish",
    r"[a-z]",
    told=r"(?:musisz|nalezy|trzeba|powinienes|powinno sie|koniecznie|najpierw|pamietaj,? (?:aby|zeby)|nie zapomnij|prosze|mozesz)(?: \w{2,16}){0,4}? (?:uruchom|wykon|wkle|wpis|skopi|zastos|odpal|post)\w{1,8}"
    r"|(?:uruchom|wykonaj|wklej|wpisz|skopiuj|zastosuj|odpal|postepuj|wykonuj)(?:cie)?",
    back=r"powyzsz\w{1,3}|wyzej|poprzedni\w{0,3}|wczesniejsz\w{1,3}",
    ahead=r"ponizsz\w{1,3}|nizej|nastepuja\w{1,3}|ponizej",
    here=r"t[oaeę]|ten|tego|te|tych|je|go",
    what=r"polece\w{1,4}|komend\w{0,3}|lini\w{1,4}|blok\w{0,2}|skrypt\w{0,2}|krok\w{0,3}|kod\w{0,2}|instrukcj\w{1,3}|przyklad\w{0,2}|fragment\w{0,2}",
    due=r"obowiazkow\w{1,3}|wymagan\w{1,3}|konieczn\w{1,3}|niezbedn\w{1,3}",
    when=r"najpierw|przed|natychmiast|zawsze|teraz|od razu|za kazdym razem|zanim",
    each=r"wszystk\w{1,3}|kazd\w{1,3}",
    denies=r"nie|nigdy|unika\w{1,3}|zamiast|wykry\w{1,4}|blok\w{2,5}|jesli|czy",
    undoes=r"zapomnij|zapominaj|wahaj|pomijaj|zwlekaj",
    reports=r"atakujac\w{1,3}|napastnik\w{0,3}|prosi|probuj\w{1,2}",
    common=r"i|w|na|do|z|sie|nie|jest|to|ze|dla|po|od|za|przez|lub|jak|oraz|przed|tym|musi|aby|co",
)
TURKISH = tongue(
    "Turkish",
    _LATIN,
    told=r"(?:calıstır|yurut|yapıstır|uygula|izle|kopyala|takip e[dt]|kur|baslat|gir)(?:ın(?:ız)?|in(?:iz)?|un(?:uz)?|yın(?:ız)?|yin(?:iz)?|malı\w{0,4}|meli\w{0,4}|manız\w{0,8}|meniz\w{0,8}|ılmalı\w{0,4}|ulmeli\w{0,4})"
    r"|(?:calistir|yurut|yapistir|uygula|baslat)(?:in(?:iz)?|un(?:uz)?|yin(?:iz)?|mali\w{0,4}|meli\w{0,4})|(?:calıstır|calistir|yurut|yapıstır|yapistir|uygula)(?=\s*(?:$|[.!,;:]))",
    back=r"yukarıda\w{0,3}|yukarida\w{0,3}|onceki|ustteki|onceden|bahsi gecen",
    ahead=r"asagıda\w{0,3}|asagida\w{0,3}|sonraki|alttaki|su",
    here=r"bu|bunu|bunları|o|onu",
    what=r"komut\w{0,6}|satır\w{0,4}|satir\w{0,4}|blo[kg]\w{0,4}|adım\w{0,6}|adim\w{0,6}|betik\w{0,4}|betigi|kod\w{0,4}|talimat\w{0,6}|ornek\w{0,4}",
    due=r"zorunlu\w{0,4}|gerekli\w{0,4}|sart\w{0,3}|mecburi",
    when=r"once|ilk|hemen|simdi|her zaman|her seferinde|baslamadan|derhal",
    each=r"tum|butun|her|hepsini",
    denies=r"asla|degil|kacın\w{0,3}|engelle\w{0,3}|tespit|eger|\w{2,}(?:mayın|meyin|mayin)",
    undoes=r"unutma\w{0,4}|tereddut|atlama\w{0,4}",
    reports=r"saldırgan\w{0,4}|saldirgan\w{0,4}",
    common=r"ve|bir|bu|icin|ile|da|de|her|olarak|olan|veya|ya|daha|gibi|en|once|sonra|degil|var|icinde|tum|ne",
)
VIETNAMESE = tongue(
    "Vietnamese",
    r"[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹa-z]",
    told=r"(?:hay|phai|can|vui long|nho|dung quen|bat buoc|nen|xin|luon)(?: \w{1,8}){0,4}? (?:chay|thuc thi|thuc hien|dan|nhap|lam theo|ap dung|sao chep|go)",
    does=r"chay|thuc thi|thuc hien|dan|lam theo|ap dung|sao chep|khoi chay|go lenh",
    fill=r"va|roi|sau do|bay gio|truoc tien|luon|chi can|quan trong|buoc|luu y|truoc khi(?: \w{1,8}){1,5}|de(?: \w{1,8}){1,4}|ngay|ban|tac tu",
    back=r"tren|o tren|phia tren|truoc do|vua neu|noi tren|ben tren",
    ahead=r"duoi|sau day|duoi day|tiep theo|ben duoi|sau",
    here=r"nay|do|kia",
    what=r"lenh|dong|khoi|doan ma|ma|kich ban|script|buoc|huong dan|vi du|noi dung|cau lenh|đoan|doan|đoan ma|dong lenh",
    due=r"bat buoc|can thiet|yeu cau",
    when=r"truoc|ngay|luon|dau tien|ngay lap tuc|moi lan|lap tuc",
    each=r"tat ca|moi|toan bo|cac",
    denies=r"khong|đung|dung|cho|chang|tranh|phat hien|chan|neu",
    undoes=r"quen|ngan ngai|do du|bo qua",
    reports=r"ke tan cong|yeu cau (?:ban|nguoi dung)|co gang",
    common=r"va|la|cua|cac|trong|cho|mot|nay|đe|de|co|khong|đuoc|duoc|voi|nhung|truoc|khi|hay|ban|phai|tren|tu|sau",
)
UKRAINIAN = tongue(
    "Ukrainian",
    r"[\u0400-\u04ff]",
    told=r"(?:виконаи|запусти|встав|скопіюи|скопиюи|застосуи|введи|набери|запускаи|виконуи|виклич)(?:те|ть|іть|ите|ь)?|дотримуи(?:ся|теся)|(?:слід|слид|потрібно|потрибно|необхідно|необхидно|треба|обов['’]язково|спочатку|маеш|має|мусиш)(?: [\w-]{2,18}){0,5}? (?:бути |бути )?"
    r"(?:викон|запус|запущ|встав|скопі|скопи|застос|введ|ввес|набра|дотрим)\w{0,7}",
    back=r"вище\w{0,12}|попередн\w{1,3}|наведен\w{1,3}|зазначен\w{1,3}|показан\w{1,3}|зверху",
    ahead=r"нижче\w{0,12}|наступн\w{1,3}|далі|дали",
    here=r"ц(?:е|ю|еи|і|их|ього|ьому)|іі|ії|иого|їх|даню?\w{0,2}",
    what=r"команд\w{0,3}|рядо?к\w{0,3}|блок\w{0,3}|фрагмент\w{0,3}|крок\w{0,3}|скрипт\w{0,3}|код\w{0,3}|інструкці\w{0,3}|инструкци\w{0,3}|приклад\w{0,3}|текст\w{0,3}|вказівк\w{0,2}",
    due=r"обов['’]язков\w{1,3}|необхідн\w{1,3}|потрібн\w{1,3}",
    when=r"спочатку|перед|до|негаино|одразу|завжди|зараз|щоразу",
    each=r"всі|усі|вси|уси|кожн\w{1,3}|все|увесь",
    denies=r"не|ніколи|николи|заборон\w{2,5}|уника\w{1,4}|замість|виявл\w{1,5}|блоку\w{1,4}|якщо",
    undoes=r"забуд\w{1,4}|пропус\w{1,4}|зволікаи\w{0,3}|вагаи\w{0,4}",
    reports=r"зловмисник\w{0,3}|просить|намага\w{2,5}",
)
TONGUES: tuple[Tongue, ...] = (
    first.ENGLISH,
    first.CHINESE,
    first.SPANISH,
    first.FRENCH,
    first.GERMAN,
    first.PORTUGUESE,
    first.RUSSIAN,
    first.JAPANESE,
    first.KOREAN,
    ARABIC,
    HINDI,
    INDONESIAN,
    ITALIAN,
    DUTCH,
    POLISH,
    TURKISH,
    VIETNAMESE,
    UKRAINIAN,
)
