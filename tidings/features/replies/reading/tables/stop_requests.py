"""How people ask a business for no more messages.

REQUESTS and LABELS opt out as the whole message; inside a sentence they ask back wherever they
stand. So do REMARKS, which may be about these messages only, and OPENINGS
at the start of a clause.
"""

REQUESTS = """
    unsubscribe|unsub me; opt me out; take me off the mailing|contact list
    remove me from the mailing|contact list; remove|delete|erase|lose my number|contact|details
    stop messaging|texting|contacting|spamming|writing|msging|emailing me|us?
    stop writing to me|us; stop sending|with the|these|all|your? messages|texts|msgs|sms|spam
    stop sending me|us messages|texts|msgs|sms|anything|spam|stuff; stop messages|texts
    stop bothering|harassing|disturbing me|us; no more messages|texts|msgs|sms
    do? dont|never|not message|text|contact|write|msg me|us again|anymore|ever?
    do? dont|never|not write to me|us again|anymore|ever?
    do? dont|not send me|us messages|texts|msgs
    do? dont|not send me|us any more|further? messages|texts|msgs
    do? dont|not send me|us any|anything more
    i? do? dont|not want your|these|any|more messages|texts|msgs
    i? do? dont|not want any more messages|texts|msgs
    הסר|הסירו|הסירי|תסיר|תסירו|תסירי|להסיר אותי|אותנו; הסר|הסירו|תסירו|תסיר|להסיר אותי? מהרשימה
    הסר|הסירו|תסירו|תסיר|להסיר אותי? מרשימת התפוצה|הדיוור; תורידו|להוריד אותי מרשימת התפוצה|הדיוור
    הסירו|תסירו|תמחקו|תסיר|תמחק|מחקו|למחוק את? המספר שלי
    תפסיק|תפסיקו|תפסיקי|הפסיקו|להפסיק לשלוח לי?
    תפסיק|תפסיקו|הפסיקו|תפסיקי|להפסיק לשלוח לי? הודעות; תפסיקו|הפסיקו|תפסיק עם ההודעות
    תפסיק|תפסיקו|הפסיקו|תפסיקי לכתוב|להציק|לסמס|להטריד לי|אותי?
    אל תשלחו|תשלח|תשלחי לי? יותר? הודעות; אל תשלחו|תשלח|תשלחי לי? יותר
    אל תכתבו|תכתוב|תסמסו לי יותר?; לא לשלוח לי? יותר|עוד? הודעות; לא רוצה לקבל יותר|מכם? הודעות
    די|מספיק עם ההודעות; די|מספיק להודעות|הודעות; תורידו אותי מהתפוצה; אל תיצרו איתי קשר
    الغاء|الغوا|الغي|الغو الاشتراك|اشتراكي
    ايقاف|اوقفوا|وقفوا|اوقف|وقف الرسائل|الرسايل|رسائلكم|رسايلكم
    لا ترسلوا|ترسل|ترسلون|تبعثوا|تبعتوا|تبعتو|تطرشون لي رسائل|رسايل|شيء?
    لا ترسلوا|ترسل|ترسلون|تبعثوا|تبعتوا رسائل|رسايل; لا ترسلوا|ترسل|ترسلون|تبعثوا|تبعتوا لي
    لا ترسلوا|ترسل|ترسلون|تبعثوا|تبعتوا لي اي|المزيد من? رسائل|الرسائل
    لا ترسلولي|تبعتولي|تبعثولي رسائل|رسايل?; لا تبعتولي|ترسلولي رسائل|رسايل?
    ما تبعتولي|ترسلولي رسائل|رسايل
    بطلوا|بطل|بطلو تبعتولي|تبعتوا|ترسلولي|ترسلوا|تبعتلي رسايل|رسائل?; بطلوا|بطل رسايل|رسائل
    بلاش|كفاية|كفايه|كفى|بس|خلاص رسائل|رسايل; احذفوا|احذف|امسحوا|امسح|شيلوا|شيل رقمي; احذفوني
    لا اريد|ابي|بدي رسائل|رسائلكم|رسايل|رسايلكم; مش عايز|عاوز|عايزة|عاوزة رسايل|رسائل
    ما بدي رسائل|رسايل; لا تتواصلوا معي; لا تزعجوني
    توقفوا|توقف عن ارسال|الارسال|مراسلتي|ازعاجي الرسائل|رسائل?
    حبسو|باركا|بركا من? الرسائل|المساجات|الميساجات; отпишите|отпиши меня
    отписаться|отпишите меня? от рассылки|рассылок; хватит мне писать; хватит писать мне
    не пишите|пиши мне больше?; больше не пишите|пиши мне; больше мне не пишите|пиши
    удалите|удали|сотрите мой номер|контакт
    прекратите|прекрати мне? писать|присылать|рассылку|слать
    не присылайте|присылай|шлите|шли мне больше? сообщения|сообщений|смс|ничего|рассылку
    больше не присылайте|шлите мне? сообщения|сообщений|ничего?
    хватит присылать|слать|сообщений|рассылок; не хочу больше? получать сообщения|рассылку|смс
    уберите меня из рассылки|базы; не беспокойте меня; исключите|удалите меня из рассылки|базы
    перестаньте мне? писать|присылать|слать|беспокоить; darme de baja
    dame|denme|deme|dadme de baja; no más mensajes|sms|whatsapps
    ya? no me manden|mandes|envíen|envíes nada más?
    no me escriban|escribas|escriba|escribáis más?
    no me manden|mandes|mande|envíen|envíes|envíe más? mensajes|nada
    no me manden|mandes|mande|envíen|envíes|envíe más; no me contacten|contactes|molesten más?
    desuscribirme; desuscríbanme; desuscríbeme; no quiero recibir más? mensajes
    no quiero más mensajes; borren|borra|borre|eliminen|elimina|eliminar mi número
    paren|para|pare|parad de escribirme|mandarme|enviarme|mandar|enviar mensajes?
    basta de mensajes; me désabonner|désinscrire; désabonnez|désinscrivez moi
    plus de messages|sms|message; ne m écrivez|écris|écrire plus
    ne me contactez|contacte|dérangez|textez|texte plus
    ne m envoyez|envoie plus rien|de? message|messages?
    m écrivez|écris|envoyez|envoie plus de? messages?; me contactez|contacte plus
    arrêtez|arrête|arrêter|stop les|vos|aux? messages|sms|textos
    supprimez|effacez|supprime mon numéro|contact; arrêtez|arrête|cessez d envoyer
    je veux plus de messages; ne veux plus recevoir de|vos|ces messages
    retirez|enlevez moi de la liste de diffusion; mich abmelden|austragen
    trag|tragt|tragen sie? mich aus; keine nachrichten mehr?
    nicht mehr schreiben|anschreiben|kontaktieren
    schreibt|schreib|schreiben sie? mir|mich bitte? nicht|nie mehr|wieder?
    mir nicht mehr|weiter schreiben; keine weiteren|mehr nachrichten|sms; nummer löschen|loeschen
    löscht|lösch|löschen|loescht|loeschen sie? meine|die nummer|kontaktdaten
    nehmt|nehmen sie? mich aus dem|eurem|ihrem verteiler; parar mensagens
    parem|pare|para|pará de me? mandar|enviar|escrever mensagem|mensagens|msg?
    parem|pare|para com as|essas? mensagens
    parem|pare|para de me escrever|contactar|incomodar|perturbar|importunar
    não quero mais? receber? mais? mensagens|mensagem
    não me mandem|mande|manda|enviem|envie|envia|mandes mais? mensagem|mensagens|msg|nada
    não enviem|envie|mandem|mande mais
    não me escrevam|escreva|escrevas|contactem|contatem|incomodem mais?
    me tira|tirem|tire da lista de transmissão
    apaguem|apague|apaga|excluam|exclui|exclua|removam|remova o? meu número|contato|contacto
    chega de mensagens|mensagem; quero me descadastrar|desinscrever
    cancelem? a? minha inscrição|assinatura; basta messaggi
    remove|take|delete me from|off your|this|the mailing|contact list
    remove|take me from|off your|this database; i? want to unsubscribe; i? want to opt out
    id like to unsubscribe; i would like to unsubscribe; id like to opt out
    do? not want to receive|get messages|texts; i? do? dont want to receive|get messages|texts
    do? dont|not want to hear from you; i? dont want to hear from you again|anymore?
    i? no longer want|wish to receive messages|texts
    i? no longer want|wish to receive your|these messages|texts
    לא רוצה|מעוניין|מעוניינת|מעוניינים לקבל? יותר|עוד? מכם? הודעות|בהודעות
    متبعتوليش|ماتبعتوليش|متبعتليش|ماتبعتليش رسايل|رسائل? تاني?; quiero|quisiera darme de baja
    quiero|quisiera la baja
    dejen|deja|deje|dejad de escribirme|mandarme|enviarme|escribir mensajes|nada?
    dejen|deja|deje|dejad de molestarme|molestar
    dejen|deja|deje|dejad de mandar|enviar mensajes
    merci|prière de ne plus me|m contacter|écrire|envoyer|déranger de? messages|message?
    ne plus me|m contacter|écrire|envoyer|déranger de? messages|message?
    arrêtez|arrête|arrêter|cessez de m écrire|contacter
    arrêtez|arrête|arrêter|cessez de m envoyer des|vos|de|ces? messages|sms?
    schickt|schick|schicken|sendet|senden sie? mir bitte? keine nachrichten|sms mehr?
    schickt|schick|schicken|sendet|senden sie? mir bitte? nichts mehr
    melde|meldet|melden sie? mich ab; ich? will|möchte|moechte|mochte keine nachrichten mehr?
    hört|hör|hören|hoert|hoer|hoeren sie? auf mir zu schreiben
    hört|hör|hören|hoert|hoer|hoeren sie? auf mir nachrichten zu schicken|schreiben
    hört|hör|hören|hoert|hoer|hoeren sie? auf mich zu nerven
    kontaktiert|kontaktieren sie? mich bitte? nicht mehr
    hört|hör|hören|hoert|hoer|hoeren sie? auf mit den|euren nachrichten
    deixem|deixa|deixe de me mandar|enviar|escrever mensagens|mensagem?
"""

REMARKS = """
    stop sending|texting|messaging|writing|contacting|spamming me|us|these|this|it?
    stop with these|this|the; stop sending me|us these|this|it|invitations|reminders|the
    dont|not send me|us this|these; no more of these|this; no more invitations|reminders
    enough of these|with the; dont|not text|message me; תפסיקו|תפסיק|תפסיקי|הפסיקו לשלוח|להציק
    די לשלוח; די עם ההודעות|התזכורות; מספיק עם ההודעות|התזכורות
    لا ترسلوا|ترسل|ترسلون|تبعتوا|تبعثوا لي|هذه|هذا
    اوقفوا|وقفوا|اوقف|وقف هذه|هذي|هاي|ال? رسائل|الرسائل|الرسايل
    اوقفوا|وقفوا|اوقف|وقف الرسائل|الرسايل المكرره?; بطلوا|بطل تبعتوا|ترسلوا|تبعتولي|ترسلولي
    хватит|перестаньте|прекратите|прекрати мне? писать|присылать|слать
    не присылайте|шлите|присылай мне это|эти|такое|больше; не пишите мне|больше|сюда
    не надо мне писать|присылать|слать
    dejen|deja|dejad|deje|paren|para|parad de mandarme|enviarme|escribirme|mandar|enviar|molestar
    no me manden|mandes|envíen|envíes más?; no me escriban|escribas más
    basta de mensajes|recordatorios|avisos; arrêtez|arrête|stop de m envoyer|écrire
    arrêtez|arrête|stop avec ces|les|vos; arrêtez|arrête|stop les|vos|ces messages|rappels
    ne m envoyez|envoie plus ça|cela|ces|de|d?; m envoyez|envoie plus ça|cela|ces|de|d?
    hört|hör|hören sie? auf mir|mich zu? schreiben|schicken|nerven|das|solche?
    schickt|schick|schicken sie? mir bitte? nicht|keine|sowas|solche|nichts mehr?
    keine|nicht weiteren|mehr nachrichten|erinnerungen|schicken|schreiben
    schreibt|schreib|schreiben sie? mir bitte? nicht|nie mehr?
    parem|pare|para|pará de me? mandar|enviar|escrever; parem|pare|para com as|essas|esses|os
    não me mandem|mande|manda|enviem|envie mais?; chega de mensagens|mensagem|lembretes
    can|to|i unsubscribe; to|i opt out
"""

OPENINGS = """
    stop i|im|ill|ive|id|we|were|well|no|not|never|me; unsubscribe i|im|we|were|no|not
    стоп я|мы|не|нет|мне|нас; הסר אני|אנחנו|לא|אותי|כבר; סטופ אני|אנחנו|לא
    توقف انا|احنا|نحن|لا|لن|ما; ستوب انا|احنا|لا|ما; baja no|yo|nosotros|ya
    stop je|on|nous|j|non|ne|ich|wir|bin|yo|no|nosotros|eu|nós|não; arrêt je|on|nous|j|non|ne
    abmelden ich|wir|bin|nein; sair eu|nós|não; parar eu|nós|não|yo|no|nosotros
"""

# The labels of the buttons that the platform offers for opting out of marketing, and what guests
# write in their place; in other languages as the platform translates them, or nearly so.
LABELS = """
    stop promotions|promotion|promos|promo|marketing|ads|advertising|advertisements|spam
    no more promotions|promos|marketing|ads|advertising|spam; stop promotional|marketing messages
    stop sending promotions|ads|spam; unsubscribe from marketing; unsubscribe from promotions
    opt out of marketing|promotions; block promotions
    הפסקת פרסומות|פרסום|מבצעים|הודעות|שיווק|ספאם; הפסק|הפסיקו|תפסיקו|להפסיק פרסומות|פרסום|מבצעים
    הפסק|הפסיקו|תפסיקו|להפסיק לפרסם; הפסקת הודעות פרסומיות|שיווקיות; עצור פרסומות|מבצעים
    עצירת פרסומות|מבצעים; די לפרסומות; בלי פרסומות; הסרה מרשימת תפוצה; הסר מרשימת תפוצה|דיוור
    إيقاف|ايقاف|وقف|أوقف|أوقفوا العروض|الإعلانات|الترويج|التسويق|الدعاية; إيقاف العروض الترويجية
    إيقاف الرسائل الترويجية|التسويقية|الإعلانية; بدون إعلانات
    остановить|прекратить|отключить|стоп рекламу|реклама|рассылку|рассылка|акции|спам
    остановить|отключить рекламные|маркетинговые рассылки|сообщения; не присылать рекламу
    без рекламы; хватит рекламы; отписаться от рассылки|рекламы
    detener|parar|alto|basta|stop promociones|promoción|publicidad|marketing|anuncios|spam
    detener las promociones; detener la publicidad; dejar de recibir promociones|publicidad
    no más promociones|publicidad; no quiero publicidad|promociones; cancelar suscripción
    arrêter|arrêtez|arrêt|stop les|des|la|le? promotions|promos|publicité|publicités
    arrêter|arrêtez|arrêt|stop les|des|la|le? pub|pubs|marketing; arrêter le|les spam|spams
    plus de promotions|publicité|pub|pubs; se désinscrire
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
