"""What people send to hear no more from a business, or to hear again. Each is a whole message.

`cancel` and its like are missing on purpose: a guest who writes it declines an invitation.
"""

STOP = """
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

SIGNS = "🛑"
