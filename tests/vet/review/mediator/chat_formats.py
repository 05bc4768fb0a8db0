"""Control tokens of the chat formats of public models, by who uses them: examples of the shapes that no frame may hold whole."""

CHAT_FORMATS = {
    "ChatML: Qwen, Yi, MiniCPM, InternLM 2": "<|im_start|> <|im_end|> <|im_sep|> <|endoftext|>",
    "Llama 2": "[INST] [/INST] [ /INST ] <<SYS>> <</SYS>> <s> </s>",
    "Llama 3 and 4": "<|begin_of_text|> <|start_header_id|> <|end_header_id|> <|eot_id|> <|eom_id|> <|python_tag|> <|header_start|> "
    "[start_header_id] <|finetune_right_pad_id|> <|reserved_special_token_0|>",
    "Mistral, Mixtral, Pixtral, Magistral": "[TOOL_CALLS] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [TOOL_CONTENT] [SYSTEM_PROMPT] "
    "[IMG] [IMG_BREAK] [IMG_END] [THINK] [/THINK] [ARGS] [CALL_ID] [BEGIN_AUDIO] [PREFIX] [MIDDLE] [SUFFIX] [MODEL_SETTINGS]",
    "Gemma": "<bos> <eos> <start_of_turn> <end_of_turn> <unused99> <start_of_image> <image_soft_token> <pad> <mask> [multimodal]",
    "GPT: harmony, GPT-2": "<|start|> <|channel|> <|message|> <|return|> <|call|> <|constrain|> <|endofprompt|>",
    "Qwen: tools, vision, and older": "<tool_call> </tool_call> <tool_response> <think> </think> <|vision_start|> <function=shell> "
    "<parameter=x> <img> </img> <ref> <box> <quad>",
    "DeepSeek": "<｜User｜> <｜Assistant｜> <｜begin▁of▁sentence｜> <｜tool▁calls▁begin｜> <tool▁call> <｜DSML｜function_calls> <|ref|> <|det|>",
    "GLM, ChatGLM": "[gMASK] [sMASK] <sop> <eop> [MASK] <|observation|> <|begin_of_image|> <arg_key> <arg_value> <C_Q>",
    "InternLM, InternVL": "[UNUSED_TOKEN_1] [UNUSED_TOKEN_145] <IMG_CONTEXT> <eoh> <eoa> <TOKENS_UNUSED_1> <|action_start|> <quad>",
    "Command": "<|START_OF_TURN_TOKEN|> <BOS_TOKEN> <EOS_TOKEN> <EOP_TOKEN> <PAD_TOKEN> <|CHATBOT_TOKEN|> <|START_THINKING|>",
    "Nemotron": "<SPECIAL_10> <extra_id_0> <extra_id_1> [TOOL_CALL] [/TOOL_CALL] <TOOLCALL> </TOOLCALL> <AVAILABLE_TOOLS>",
    "Kimi": "<|im_user|> <|im_middle|> <|tool_calls_section_begin|> [BOS] [EOS] [EOT] [PAD] [UNK] [EOD]",
    "Phi": "<|user|> <|assistant|> <|end|> <|tool|> <|/tool|> <|placeholder1|>",
    "Granite, StarCoder": "<|start_of_role|> <|end_of_role|> <fim_prefix> <filename> <gh_stars> <issue_start> <jupyter_code> <reponame> <file_sep>",
    "Falcon": ">>TITLE<< >>QUESTION<< >>ANSWER<< >>INTRODUCTION<< >>DOMAIN<<",
    "MiniMax": "]~b] ]~!b[ [e~[ <minimax:tool_call> <beginning_of_sentence> <end_of_sentence>",
    "EXAONE": "[|system|] [|user|] [|endofturn|] [BOS]",
    "Seed": "<seed:bos> <seed:eos> <seed:think> <seed:tool_call>",
    "Ling, LongCat, Hunyuan, MiniCPM, Baichuan, Skywork": "<role>HUMAN</role> <longcat_user> <｜hy_User｜> <AI> <用户> <reserved_106> [USER] [BOT]",
    "BERT, RoBERTa, T5": "[CLS] [SEP] [unused12] <unk> <cls> <sep> <extra_id_99>",
    "Jamba, OLMo, Hermes, others": "<|bom|> <|eom|> <scratch_pad> <|endoftext|> <eod> <|prompter|> <SYSTEM> <HUMAN> <BOT> <tool_use_error>",
    "agents": "<system-reminder> </system-reminder> <function_results> <user_query> <command-name> <environment_context> <"
    + "antml:thinking>",
}
CONTROL_TOKENS = sorted(
    {
        *(token for tokens in CHAT_FORMATS.values() for token in tokens.replace("[ /INST ]", "").split()),
        "[ /INST ]",
        '<invoke name="shell">',
        '<parameter name="x">',
        '<tool_call name="x">',
        '<user_info id = "1">',
        "<" + 'antml:invoke name="shell">',
        "</" + "antml:function_calls>",
    }
    - {"[multimodal]"}
)
