"""Hindi, in its own letters and in Latin ones, Bengali and Urdu."""

from ...table import Table

HINDI = Table(
    language="hi",
    script="devanagari",
    small=True,
    yes="""
        हाँ; हां; हा; जी; जी हाँ|हां; हाँ|हां जी; ज़रूर; जरूर; बिल्कुल; बिलकुल; अवश्य; पक्का
        निश्चित
    """,
    no="""
        नहीं; नही; जी नहीं|नही; ना; अगली बार; नहीं धन्यवाद; असंभव; मुश्किल है
        नहीं आ सकता|सकती|सकते|पाऊंगा|पाऊंगी|पाऊँगा|पाऊँगी|पाएंगे|पायेंगे|पाएँगे|रहे|रहा|रही
    """,
    go="""
        आऊंगा; आऊंगी; आऊँगा; आऊँगी; आएंगे; आयेंगे; आएँगे; आ रहा|रही|रहे; आ रहे हैं
        आ रहा|रही हूँ|हूं; शामिल होऊंगा|होऊंगी|होंगे; पहुंचेंगे; पहुँचेंगे; आ जाएंगे|जाऊंगा|जाऊंगी
        आता|आती|आते हूँ|हूं|हैं
    """,
    can="सकता; सकती; सकते",
    not_="नहीं; नही; ना; न; मत; कभी",
    sorry="माफ़|माफ करना|करें|कीजिए; क्षमा करें; खेद; अफ़सोस; अफसोस; दुर्भाग्य से; सॉरी",
    away="बीमार; विदेश; शहर से बाहर; व्यस्त; काम है; बाहर हूँ|हूं|हैं",
    maybe="""
        शायद; पता नहीं; पता नही; कोशिश; देखते; देखता; देखती; देखेंगे; बताऊंगा; बताऊंगी; बताएंगे
        संभव; हो सकता
    """,
    if_="अगर; यदि",
    ask="कहाँ; कहां; कब; कौन; क्या; कैसे; कितने; कितना; क्यों; किसका",
    but="लेकिन; पर; मगर; परंतु",
    warm="""
        धन्यवाद; शुक्रिया; बधाई; बहुत बधाई|धन्यवाद; नमस्ते; नमस्कार; ठीक है; ठीक; अच्छा; ओके; मुबारक
    """,
    light="""
        मैं; हम; हम लोग; सब; भी; बहुत; है; हैं; हूँ; हूं; में; से; को; के; की; का; शादी; तो; और; ही
    """,
    numbers="एक = 1; दो = 2; तीन = 3; चार = 4; पांच = 5; पाँच = 5; छह = 6",
    we_are="हम; हम लोग; कुल",
    people="लोग; जन; व्यक्ति",
    kids="बच्चे; बच्चा",
    alone_yes="हाँ हाँ; हां हां; जी हाँ जी; आऊंगा",
    alone_no="नहीं नहीं; नहीं जी; नहीं आऊंगा; नहीं आऊंगी; नहीं आएंगे",
    not_follows=True,
)

HINDI_LATIN = Table(
    language="hi-latn",
    script="latin",
    small=True,
    unread=True,
    yes="""
        haan; haanji; haan ji; han ji; ji haan; zaroor; zarur; jaroor; jarur; bilkul; pakka; beshak
    """,
    no="""
        is baar nahi|nahin|nhi
        nahi; nahin; nhi; ji nahi; agli baar; mushkil hai; nahi yaar
    """,
    go="""
        aa jayenge|jaenge|jaunga
        aaunga; aaungi; aunga; aungi; aayenge; ayenge; aaenge; aa rahe|raha|rahi; a rahe|raha|rahi
    """,
    can="sakta; sakti; sakte; paunga; paungi; payenge; paenge",
    not_="nahi; nahin; nhi; mat; kabhi",
    sorry="maaf karna|kijiye|karo; maafi; afsos",
    maybe="""
        shayad; pata nahi|nahin|nhi; koshish; dekhte; dekhta; dekhenge; batata; bataunga; ho sakta
    """,
    if_="agar; yadi",
    ask="kahan; kab; kaun; kya; kaise; kitne; kyun; kyu",
    but="lekin; magar; par",
    warm="""
        khushi
        dhanyavad; dhanyawad; shukriya; badhai; mubarak; namaste; theek; thik; accha; acha; achha
        yaar; bhai; ji
    """,
    light="""
        main; mai; hum; hum log; sab; bhi; bahut; hai; hain; hu; hoon; mein; se; ko; ke; ki; ka
        shaadi; toh; aur; hi; aa
    """,
    people="log; logon",
    alone_yes="haa; haan; han ji; hanji; ji haan; ji ha; haanji",
    alone_no="nahi; nahin; nhi; nahi ji; nahi aaunga; nahi aayenge",
    not_follows=True,
    void="koi problem|baat nahi|nahin; kyun|kyu nahi|nahin",
    other="card mil gaya|gya; card mila; card aa gaya; invitation mila|mil",
    plain="khushi se; dono; wife; meri",
)

BENGALI = Table(
    language="bn",
    script="bengali",
    small=True,
    yes="হ্যাঁ; হ্যা; হা; জি; জি হ্যাঁ; অবশ্যই; নিশ্চয়ই; নিশ্চয়",
    no="""
        না; জি না; সম্ভব না; সম্ভব নয়; আসতে পারব|পারবো না; আসব|আসবো না; আসছি না; যাব|যাবো না
        যেতে পারব|পারবো না
    """,
    go="আসব; আসবো; আসছি; যাব; যাবো; যাচ্ছি; থাকব; থাকবো; উপস্থিত থাকব|থাকবো",
    not_="না; নাই; নেই; নয়",
    sorry="দুঃখিত; মাফ; ক্ষমা",
    maybe="হয়তো; জানি না; দেখি; চেষ্টা; সম্ভবত; নিশ্চিত না",
    if_="যদি",
    ask="কোথায়; কখন; কে; কি; কী; কত; কেন",
    but="কিন্তু; তবে",
    warm="ধন্যবাদ; অভিনন্দন; শুভেচ্ছা; আচ্ছা; ঠিক আছে; ওকে",
    light="আমি; আমরা; সবাই; ও; খুব; তো; সে; দিন",
    alone_yes="হ্যাঁ হ্যাঁ; জি; হুম হ্যাঁ",
    alone_no="না না; না ধন্যবাদ",
    not_follows=True,
)

URDU = Table(
    language="ur",
    script="arabic",
    small=True,
    yes="ہاں; جی; جی ہاں; ہاں جی; ضرور; بالکل; یقینا; بیشک",
    no="نہیں; جی نہیں; معذرت نہیں; اگلی بار",
    go="آؤں گا|گی; آؤنگا; آؤنگی; آئیں گے; آئینگے; آ رہا|رہے|رہی; آ رہا|رہی ہوں; آ رہے ہیں; حاضر",
    can="سکتا; سکتی; سکتے; پاؤں گا|گی; پائیں گے",
    not_="نہیں; نا; مت; کبھی",
    sorry="معذرت; معاف; افسوس",
    maybe="شاید; پتہ نہیں; معلوم نہیں; کوشش; دیکھتے; ان شاء اللہ; انشاءاللہ",
    if_="اگر",
    ask="کہاں; کب; کون; کیا; کیسے; کتنے; کیوں",
    but="لیکن; مگر",
    warm="شکریہ; مبارک; بہت مبارک; السلام علیکم; ٹھیک; ٹھیک ہے; اچھا",
    light="میں; ہم; سب; بھی; بہت; ہے; ہیں; ہوں; سے; کو; کے; کی; کا; شادی; تو; اور; آ",
    alone_yes="ہاں ہاں; جی بالکل; جی ضرور",
    alone_no="نہیں نہیں; نہیں جی",
    not_follows=True,
)

TABLES = (HINDI, HINDI_LATIN, BENGALI, URDU)
