"""Spanish words that leave it open: doubt, questions, other business, and a no that is none."""

MAYBE = """
    tal vez; talvez; quizá; quizás; quizas; puede ser; puede que; a lo mejor; capaz; a ver
    no sé|sabemos|sabría|se todavía|aún?; no lo? sé|se; ni idea
    no estoy|estamos seguro|segura|seguros|seguras; no es seguro; intentaré; intentaremos; intentar
    intento; intentamos; trataré; trataremos; tratar; haré|haremos|hago|hacemos lo posible|imposible
    ojalá; ojala; espero; esperamos; espero que sí|si|no; probablemente; es probable; posiblemente
    creo; creemos; creo que sí|si|no; no creo; pienso que; supongo; depende; según
    te|les|os|le aviso|avisamos|avisaré|avisaremos|confirmo
    te|les|os|le confirmamos|digo|decimos|cuento|respondo; luego te|les digo|aviso|confirmo
    déjame|déjenme|deja ver|veo|reviso|checar|consultar; consultar; consultarlo; consulto
    tengo que ver|preguntar|consultar|checar; lo voy a pensar; voy a ver|pensar|intentar|tratar
    vamos a ver|intentar|tratar; ya veremos; veremos; vemos; ya te|les digo|cuento; 50/50; cincuenta
    aún no; todavía no; en duda; dudo; lo dudo; está difícil; más adelante; mañana te; sí y|o no
    si y|o no; luego confirmo; confirmo luego|después|mañana|pronto; no prometo; primero dios veré
    vamos viendo; igual y; casi seguro|segura|segurísimo; en principio
    lo más probable|seguro es? que?; imagino; imagino que sí; tentativamente; creería; creeríamos
    todo apunta; hay que ver; reservame|resérvame|resérveme|reservadme la duda; viendo
    estamos viendo; por ciento; lo pienso; lo consulto; le|te pregunto; pregunto; seguramente
    si mejoro; si apruebo; está|estoy|estamos en el aire; según como; habrá que ver; ya hablaremos
    querer quiero; luego hablamos; veamos; diría que sí
"""

IF = """
    si puedo|podemos|consigo|conseguimos|no|todo|me|nos|se|los|el|la|hay
    si encuentro|encontramos|logro|logramos|alcanzo|alcanza
    si es|está|tengo|tenemos|sale|salgo|llego; siempre que; siempre y cuando; en caso; con tal
    a menos; salvo que; cuando sepa; siempre; mientras
"""

ASK = """
    hay estacionamiento|parking|que|comida|donde; dónde; donde; cuándo; cuando es|empieza|sería
    a qué; a que; qué hora|día|salón; que hora|dia|día|salón|ropa|color; quién; quien; quiénes
    quienes; cuál; cual; cuáles; cuánto; cuanto; cuánta; cuántos; cuantos; cuántas; cuantas
    como es|llego|estas|están|hago|va|te; por qué; puedo llevar|traer|ir|invitar|saber|pagar
    podemos llevar|traer; se puede; ustedes; van a; vas a; habrá; es en|con|a; sigue
    me pueden|puedes|podrias|podrías|mandas|pasas|mandan|pasan|dices; tienen; tienes; hasta
    va a haber; y los
"""

OTHER = """
    enlace; link; liga; número equivocado; se equivocó; equivocado; equivocada; llámame; llamame
    llámenme; márcame; marcame; recibí; recibi; recibido; recibimos; me llegó; nos llegó
    llegó la|tu|su; ya respondí|contesté|confirmé|avisé|te|les; abrir; abre; funciona; sirve
    dirección; regalo; nos mudamos; mudamos; mensaje; mensajes; código; clave; contesto; contestaré
    calle; mañana contesto; vi la; la página; soy yo; no soy; sí|si diga|dígame; ya sé|se; entendí
    me acuerdo; no es mi; no hay luz; quién es|eres|habla; me voy a; nos vamos a; diga; dígame
    manejando; conduciendo; voy|vamos manejando|conduciendo; voy|vamos al baño; voy para la? casa
    al baño; para la? casa; lo|la|les|te|os miro|leo|reviso; ahora lo|la miro|veo|leo
    luego lo|la miro|leo|veo; echo un vistazo|ojo; ya lo|la? vi|leí|escuché|miré; sí lo|la vi
    vi q|que; lei; ya vi; este|ese|esa|esta es; ese era|fue; fui yo; era yo
    te|le|les|os presto|paso|mando|llamo|marco|guardo|envío|leo|escribo|traigo; sí dime|dígame|diga
    vendo; los|lo|la conozco; lo merece|merecen; merecéis; os merecéis; se lo merece; lo de ir
    para lo de
"""

VOID = """
    seguro que? será|va|estará|sale|saldrá|quedará; claro que será|estará
    no hay problema|problemas|drama|cuidado|bronca|pedo|rollo; sin problema|problemas|drama|falta
    no te|se|os preocupes|preocupe|preocupen|preocupéis; por qué|que no; porque no
    por la|mi demora|tardanza; la demora
    no contesté|conteste|respondí|respondi|había|vi antes|visto?; que no contesté|conteste|respondí
    perdón|perdon|disculpa|disculpe|perdona|disculpen|disculpas por|la|que|no
    no estaba|estábamos segura|seguro|seguros; al principio; no lo puedo creer
    no puedo creer|creerlo; no veo la hora; no vemos la hora; no puedo esperar; no podemos esperar
    un poco tarde; si dios quiere; dios mediante; primero dios; no como|comemos|bebo|tomo; sin niños
    sin los niños; si es posible; si se puede; si no es mucha; llegaremos|llego|llegamos tarde
    si necesitan|necesitas; no muy tarde; no más; nada más; nomas; no manches
    no voy|iré|vamos solo|sola|solos; no puedo|quiero|pienso|podía ir|subir solo|sola
    solo|sola no voy|puedo|quiero ir?; no puedo ir|subir solo|sola; dejar|dejarla|dejarlo solo|sola
    para|de no ir solo|sola; paso de ir solo|sola; no tengo con quién ir; sin mí no hay fiesta|boda
    no puedo|podemos|podré|podremos llegar antes|temprano|puntual|hasta
    no llegaré|llegaremos|llego|llegamos antes|puntual|hasta
    no podré|podremos estar a la hora|al principio; no cancelo
    no nos|me iremos|iré|vamos|voy hasta|sin|tan
    no me|nos retraso|retrasaré|retrasaremos|atraso|demoro|tardo|tardamos; no tardo|tardaré|tardamos
    no llego tarde; no se me|nos|te olvida|olvidó; no me|nos olvido|olvidamos|olvidé; no hace falta
    no hay nada que pensar; no lo pienso; no llevo|llevamos|traigo; no llevaremos|llevaré|traeré
    sentido pésame; en el sentimiento; los|les|te|os? acompaño|acompañamos en el sentimiento
    no hay pretexto|excusa|excusas|pretextos; no echéis de menos; no hay duda; no lo dudo|dudamos
    no insistas|insistan|insistáis; no me tienes|tienen que rogar; nada ni nadie
    ya no estoy|estamos; no puedo|podemos|podré quedarme|quedarnos
    no podré|podremos estar en la apertura|misa|ceremonia; no le he dicho que no
"""
