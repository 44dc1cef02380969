"""What people send to hear no more from a business, or to hear again. Each is a whole message.

`cancel` and its like are missing on purpose: a guest who writes it declines an invitation.
"""

_STOP_WORDS = """
    stop; stopp; stop all; stopall; stop it; please stop; unsubscribe; unsubscribe me; unsub
    quit; end; optout; opt out; opt me out; revoke; remove me
    remove me from the|your|this list; remove|delete|erase my number|contact|name; delete me
    erase me; take me off
    take me off the|your|this list; stop messaging me; stop texting me; stop messages
    stop sending messages; stop sending me messages; no more messages; dont message me again
    do not message me; dont contact me; do not contact me; dont text me; leave me alone; הסר
    הסרה; הסירו; הסר אותי; הסירו אותי; תסירו אותי; תסיר אותי; תסירי אותי; להסיר; להסרה; עצור
    הסר מהרשימה; הסירו אותי מהרשימה; תסירו אותי מהרשימה; תורידו אותי מהרשימה; תפסיק; תפסיקו
    תפסיקו לשלוח; תפסיקו לשלוח לי הודעות; להפסיק; אל תשלחו לי; אל תשלחו לי הודעות; סטופ
    הפסק; הפסיקו; הפסיקי
    די לשלוח; توقف; توقفوا; ايقاف; إيقاف; اوقف; أوقف; أوقفوا; وقف; وقفوا; الغاء الاشتراك
    إلغاء الاشتراك; الغي الاشتراك; ايقاف الرسائل; لا ترسل; لا ترسلوا; لا ترسلوا لي
    لا تراسلوني; لا تبعثوا; بلاش رسائل; ستوب; احذفوني; احذف رقمي; كفى رسائل; شيلوني من القائمة
    стоп; отписаться; отписка; отпишите; отпишите меня; отпишись; хватит писать; не пишите
    не пишите мне; не пиши мне; больше не пишите; больше не пишите мне; удалите меня
    удалите мой номер; прекратите; прекратите писать; не присылайте
    не присылайте мне сообщения; відписатися; відписати; baja; de baja; darme de baja
    dame de baja; denme de baja; dar de baja; quiero darme de baja; parar; pare; detener; alto
    desuscribir; desuscribirme; desuscribirse; cancelar suscripción; anular suscripción
    no más mensajes; no me escriban; no me escriban más; no me manden mensajes
    eliminar mi número; bórrenme; arrêt; arrêter; arrêtez; arrête; désabonner; se désabonner
    me désabonner; désabonnez moi; désinscrire; désinscription; me désinscrire; désabonnement
    plus de messages; ne m écrivez plus; ne plus me contacter; retirez moi de la liste
    stop sms; abmelden; abmeldung; abbestellen; abbestellung; austragen; bitte abmelden
    mich abmelden; melde mich ab; keine nachrichten mehr; keine nachrichten
    nicht mehr schreiben; schreibt mir nicht mehr; aufhören; kontakt löschen; nummer löschen
    sair; parar mensagens; pare de enviar; pare de mandar mensagem; descadastrar; descadastre
    remover; me remova; me remove; me tira da lista; não quero mais mensagens
    não me mande mensagem; não me mandem mais mensagens; cancelar inscrição
    cancelar assinatura; não envie mais; disiscrivi; disiscrivimi; annulla iscrizione
    basta messaggi; uitschrijven; afmelden; stoppen; avregistrera; frameld; afmeld; wypisz
    wypisz mnie; rezygnuję; odhlásit; leiratkozás; dezabonare; dur; ret; iptal abonelik
    durdur; durdurun
    aboneliği iptal; berhenti; hentikan; huỷ đăng ký; ngừng; لغو; بند کریں; بند کرو; बंद
    बंद करो; बंद करें; रोकें; 停止; 退订; 取消订阅; 退訂; 配信停止; 解除; 중지; 수신거부; หยุด; ยกเลิก
    停; やめて; dừng lại
"""

START = """
    start; unstop; subscribe; resume; optin; opt in; opt me in; resubscribe; start again
    start messages; התחל; התחילו; להתחיל; הצטרף; הצטרפות; להצטרף לרשימה; הירשם; הרשמה
    תחזירו אותי; תחזירו אותי לרשימה; חידוש; ابدأ; ابدا; بدء; اشتراك; اشترك; استئناف; استانف
    تفعيل; старт; подписаться; подписка; подпишите; подпишите меня; возобновить; начать; alta
    darme de alta; dar de alta; iniciar; empezar; suscribir; suscribirme; suscribirse
    reanudar; démarrer; commencer; abonner; s abonner; m abonner; réabonner; me réabonner
    reprendre; réinscrire; anmelden; anmeldung; starten; abonnieren; wieder anmelden
    fortsetzen; começar; voltar; inscrever; inscrever-me; me inscrever; retomar; reativar
    subscrever; iscrivi; iscrivimi; inizia; aanmelden; inschrijven; zapisz; başla; mulai; शुरू
    शुरू करें; 开始; 订阅; 開始; 시작
"""

# May stand before or after such a word.
POLITE = """
    please; pls; plz; thanks; thank you; thx; hi; hello; sorry; now; בבקשה; תודה; תודה רבה
    שלום; היי; סליחה; נא; من فضلك; من فضلكم; لو سمحت; لو سمحتم; شكرا; رجاء; пожалуйста
    спасибо; здравствуйте; por favor; gracias; hola; porfa; svp; s il vous plaît
    s il te plaît; merci; bonjour; bitte; danke; hallo; obrigado; obrigada; pfv; olá; oi
"""

# The labels of the buttons that the platform offers for opting out of marketing, and what guests
# write in their place; in other languages as the platform translates them, or nearly so.
_STOP_LABELS = """
    stop promotions|promotion|promos|promo|marketing|ads|advertising|advertisements|spam
    no more promotions|promos|marketing|ads|advertising|spam; stop promotional|marketing messages
    stop sending promotions|ads|spam; unsubscribe from marketing; unsubscribe from promotions
    opt out of marketing|promotions; block promotions; הפסקת פרסומות|פרסום|מבצעים|הודעות|שיווק|ספאם
    הפסק|הפסיקו|תפסיקו|להפסיק פרסומות|פרסום|מבצעים; הפסק|הפסיקו|תפסיקו|להפסיק לפרסם
    הפסקת הודעות פרסומיות|שיווקיות; עצור פרסומות|מבצעים; עצירת פרסומות|מבצעים; די לפרסומות
    בלי פרסומות; הסרה מרשימת תפוצה; הסר מרשימת תפוצה|דיוור
    إيقاف|ايقاف|وقف|أوقف|أوقفوا العروض|الإعلانات|الترويج|التسويق|الدعاية; إيقاف العروض الترويجية
    إيقاف الرسائل الترويجية|التسويقية|الإعلانية; بدون إعلانات
    остановить|прекратить|отключить|стоп рекламу|реклама|рассылку|рассылка|акции|спам
    остановить|отключить рекламные|маркетинговые рассылки|сообщения; не присылать рекламу
    без рекламы; хватит рекламы; отписаться от рассылки|рекламы
    detener|parar|alto|basta|stop promociones|promoción|publicidad|marketing|anuncios|spam
    detener las promociones; detener la publicidad; dejar de recibir promociones|publicidad
    no más promociones|publicidad; no quiero publicidad|promociones; cancelar suscripción
    arrêter|arrêtez|arrêt|stop les|des|la|le? promotions|promos|publicité|publicités
    arrêter|arrêtez|arrêt|stop les|des|la|le? pub|pubs|marketing
    arrêter le|les spam|spams; plus de promotions|publicité|pub|pubs; se désinscrire
    keine werbung|promotions|werbeaktionen|werbenachrichten|angebote mehr?
    werbung|promotions|werbeaktionen|marketing|spam stoppen|beenden|abbestellen|abmelden
    stoppt die? werbung; stop werbung
    parar|pare|pararem|cancelar|interromper|encerrar|chega|sem as|de|com|o|a? promoções|promoção
    parar|pare|cancelar|interromper|sem as|de|o|a? publicidade|propaganda|propagandas|marketing|spam
    parar de receber promoções|propaganda|publicidade; não quero promoções|propaganda|publicidade
    interrompi|ferma|stop|basta le|con|il|la? promozioni|pubblicità|marketing|spam
    annulla iscrizione; stop promoties|reclame|marketing; geen reclame|promoties meer?
    promosyonları|reklamları|kampanyaları durdur; reklam istemiyorum
    aboneliği|abonelikten iptal|çık; hentikan|stop promosi|iklan; berhenti berlangganan
    зупинити|припинити рекламу|розсилку|акції; без реклами
    zatrzymaj|wyłącz promocje|reklamy|marketing; koniec reklam
    प्रमोशन|प्रचार|विज्ञापन बंद करें|रोकें; 停止推广; 停止促銷; 停止促销
    プロモーションを停止; 프로모션 중지
"""

STOP = f"{_STOP_WORDS};{_STOP_LABELS}"

SIGNS = "🛑"
