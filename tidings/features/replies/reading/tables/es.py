"""Spanish, of Spain and of Latin America."""

from ..table import Table

TABLE = Table(
    language="es",
    script="latin",
    yes="""
        sí; si; sip; sii; siii; claro; clro; claro que sí|si|vamos|voy; claro q si|sí; por supuesto
        por supesto; desde luego; obvio; obviamente; seguro; segurísimo; sin duda; sin falta
        efectivamente; ciertamente; afirmativo; cómo no; de una; de ley; fijo; a huevo; simón
        va que va; listo voy; confirmo; confirmamos; confirmado; confirmada; confirmados
        confirmadas; confirmar asistencia; confrimo; confirmo asistencia; acepto; aceptamos
        aceptado; encantado; encantada; encantados; encantadas; con mucho? gusto
        con todo|muchisimo gusto; con placer; será|sería un placer|honor|gusto|gustazo
        un placer|honor; con alegría; es un honor
        cuenten|cuenta|cuente|contad|contá|cuentan conmigo|con
        cuenta|cuenten con nosotros|nosotras|migo; puedes|pueden contar conmigo|con
        apúntame|apúntanos|anótame|anótanos|anoten|apunta
        me|nos apunto|apuntamos|anoto|anotamos|sumo|sumamos
        no me|nos lo pierdo|perdemos|perdería|perderíamos|perderé|perderemos
        no me lo pierdo por nada; no nos lo perderíamos
        no faltaré|faltaremos|faltamos|falto|faltaría
        nos vemos ahí|allí|allá|en|el|pronto|este|ese|esa?; allá|ahí|allí nos vemos
        te|los|les|os veo ahí|allí|allá|en|el; reserva|reservame|reservanos|resérvame|aparta
        apártame|guarda|guárdame|guárdanos|separa|sepárame; dicho y hecho; dale sí|si
        ya estamos ahí; no lo dudes|dude|duden; sin dudarlo; confirma|confirman asistencia
        faltaría más
    """,
    no="""
        no; nop; nel; nones; nanay; para nada; no gracias
        lamentablemente|desafortunadamente|desgraciadamente|tristemente no; por desgracia no
        esta|ésta vez no; otra vez será; para|será la próxima; la próxima vez? será?; próxima vez
        en? otra ocasión; otro día será; será en otra; imposible; me|nos es|resulta|será imposible
        no me|nos? es|será|sera|resulta posible
        tengo|tenemos|debo|debemos|voy|vamos a? que? cancelar|declinar|rechazar; cancelo; cancelamos
        cancelar; cancela; cancelen; declino; declinamos; debo declinar; rechazo; esta vez paso
        yo paso; pasamos; ni modo; no cuenten|cuentes|cuente|contéis conmigo|con
        no nos|me esperen|esperes|esperéis; no me|nos interesa; ninguno puede|podemos|va
        sin mí|nosotros; ni loco|loca|locos; qué pena no; no hay manera|forma|chance
        no se|me|nos puede|da|cuadra|alcanza; tampoco; claro|seguro|obvio que? no
        debo excusarme; me excuso
    """,
    cannot="""
        no puedo|podemos|podré|podremos|pueo|podremo|podría|podríamos; no alcanzo|alcanzamos
        tampoco puedo|podemos; no voy|vamos a poder
    """,
    go="""
        voy; vamos; iré; ire; iremos; asistiré; asistiremos; asistire; asistimos; asisto
        ahí|allí|allá|aquí|acá|ay estaré|estaremos|estamos|estoy|andaremos
        estaré|estaremos|estamos|estoy|andaremos ahí|allí|allá|presente|presentes|con; aca estaremos
        los|les|te|os acompañaré|acompañaremos|acompaño|acompañamos|acompañaremos; acompañaremos
        acompañamos; llegamos; llegaré; llegaremos; llego; vendré; vendremos; vamos todos; caeremos
        caigo; caemos; ahi les caemos; me|nos uno|unimos; participaré; participaremos; participo
        viajo para|a; viajaremos
        voy|vamos a la|tu|su|vuestra boda|fiesta|evento|ceremonia|misa|casamiento
    """,
    be="estaré; estaremos; estamos; andaremos",
    to_go="""
        ir; asistir; acudir; estar; venir; llegar; acompañar; acompañarlos; acompañarles
        acompañarte; acompañaros; participar; unirme; unirnos; ser parte; celebrar con
    """,
    they_go="va; irá; viene; vendrá; asistirá; puede; asistirán; irán; van",
    can="""
        puedo; podemos; podré; podremos; podria; podre; voy a poder; vamos a poder; logro; logramos
        poder; pienso; pensamos; planeo; voy|vamos a
    """,
    wish="""
        me|nos encantaría; me|nos gustaría; me|nos encanta; quiero; queremos; quisiera; quisiéramos
        me|nos hubiera|hubiese encantado|gustado; hubiera|hubiese querido; encantado de
        encantados de; encantada de; feliz de; felices de; con ganas de; ojalá pudiera|pudiéramos
        tenía ganas; me muero por; me hace ilusión
    """,
    not_="no; nunca; ninguno; ninguna; nadie; tampoco; ni; jamás; ni loco|loca|locos",
    miss="me|nos lo|la pierdo|perdemos|perderé|perderemos|perdería|perderíamos",
    sorry="""
        lo siento|sentimos; lo siento mucho; perdón; perdona; perdonen; disculpa; disculpe
        disculpen; disculpas; lamentablemente; lamentablmente; lamento; lamentamos
        desafortunadamente; desafortunadamnte; desgraciadamente; por desgracia; qué pena|lástima
        una pena|lástima; me apena; nos apena; sorry; mil disculpas; con pena; tristemente
    """,
    away="""
        de viaje; de vacaciones; fuera del|de; en el extranjero; viajando; viajamos ese
        otra|otro boda|compromiso|evento|fiesta|cumpleaños; tengo|tenemos que trabajar; trabajo
        trabajo ese; trabajamos; me toca trabajar|turno|guardia
        estoy|estamos|está|están enfermo|enferma|enfermos|enfermas
        estoy|estamos|está|están malo|mala|ocupado|ocupada|ocupados; enfermo; enferma; enfermos
        internado; internada; compromiso previo; ya quedé; ya quedamos; hospital; de guardia
        no estaré|estaremos en|acá; ocupado; ocupada; ocupados
        tengo|tenemos boda|compromiso|turno|guardia|examen|exámenes|vuelo|planes; laburo; chamba
    """,
    maybe="""
        tal vez; talvez; quizá; quizás; quizas; puede ser; puede que; a lo mejor; capaz; a ver
        no sé|sabemos|sabría|se todavía|aún?; no lo? sé|se; ni idea
        no estoy|estamos seguro|segura|seguros|seguras; no es seguro; intentaré; intentaremos
        intentar; intento; intentamos; trataré; trataremos; tratar
        haré|haremos|hago|hacemos lo posible|imposible; ojalá; ojala; espero; esperamos
        espero que sí|si|no; probablemente; es probable; posiblemente; creo; creemos
        creo que sí|si|no; no creo; pienso que; supongo; depende; según
        te|les|os|le aviso|avisamos|avisaré|avisaremos|confirmo
        te|les|os|le confirmamos|digo|decimos|cuento|respondo; luego te|les digo|aviso|confirmo
        déjame|déjenme|deja ver|veo|reviso|checar|consultar; consultar; consultarlo; consulto
        tengo que ver|preguntar|consultar|checar; lo voy a pensar; voy a ver|pensar|intentar|tratar
        vamos a ver|intentar|tratar; ya veremos; veremos; vemos; ya te|les digo|cuento; 50/50
        cincuenta; aún no; todavía no; en duda; dudo; lo dudo; está difícil; más adelante; mañana te
        sí y|o no; si y|o no; luego confirmo; confirmo luego|después|mañana|pronto; no prometo
        primero dios veré; vamos viendo; igual y
    """,
    if_="""
        si puedo|podemos|consigo|conseguimos|no|todo|me|nos|se|los|el|la|hay
        si encuentro|encontramos|logro|logramos|alcanzo|alcanza
        si es|está|tengo|tenemos|sale|salgo|llego; siempre que; siempre y cuando; en caso; con tal
        a menos; salvo que; cuando sepa; siempre; mientras
    """,
    ask="""
        hay estacionamiento|parking|que|comida|donde; dónde; donde; cuándo; cuando es|empieza|sería
        a qué; a que; qué hora|día|salón; que hora|dia|día|salón|ropa|color; quién; quien; quiénes
        quienes; cuál; cual; cuáles; cuánto; cuanto; cuánta; cuántos; cuantos; cuántas; cuantas
        como es|llego|estas|están|hago|va|te; por qué; puedo llevar|traer|ir|invitar|saber|pagar
        podemos llevar|traer; se puede; ustedes; van a; vas a; habrá; es en|con|a; sigue
        me pueden|puedes|podrias|podrías|mandas|pasas|mandan|pasan|dices; tienen; tienes; hasta
        va a haber; y los
    """,
    but="pero; aunque; sin embargo; mas; solo que; sólo que",
    who="""
        él; ella; ellos; ellas; mi esposa|esposo|marido|mujer|hermano|hermana|mamá|papá|madre
        mi padre|novio|novia|hijo|hija|pareja|suegra|tía|abuela
        mis padres|hijos|papás|hermanos|suegros|abuelos|hijas; los niños; los chicos; el niño
        la niña; mi familia
    """,
    other="""
        enlace; link; liga; número equivocado; se equivocó; equivocado; equivocada; llámame; llamame
        llámenme; márcame; marcame; recibí; recibi; recibido; recibimos; me llegó; nos llegó; llegó
        ya respondí|contesté|confirmé|avisé|te|les; abrir; abre; funciona; sirve; dirección; regalo
        nos mudamos; mudamos; mensaje; mensajes; código; clave; contesto; contestaré; calle
        mañana contesto; vi la; la página; soy yo; no soy; sí|si diga|dígame; ya sé|se; entendí
        me acuerdo; no es mi; no hay luz; quién es|eres|habla; me voy a; nos vamos a; diga; dígame
    """,
    void="""
        no hay problema|problemas|drama|cuidado|bronca|pedo|rollo
        sin problema|problemas|drama|falta; no te|se|os preocupes|preocupe|preocupen|preocupéis
        por qué|que no; porque no; por la|mi demora|tardanza; la demora
        no contesté|conteste|respondí|respondi|había|vi antes|visto?
        que no contesté|conteste|respondí
        perdón|perdon|disculpa|disculpe|perdona|disculpen|disculpas por|la|que|no
        no estaba|estábamos segura|seguro|seguros; al principio; no lo puedo creer
        no puedo creer|creerlo; no veo la hora; no vemos la hora; no puedo esperar
        no podemos esperar; un poco tarde; si dios quiere; dios mediante; primero dios
        no como|comemos|bebo|tomo; sin niños; sin los niños; si es posible; si se puede
        si no es mucha; llegaremos|llego|llegamos tarde; si necesitan|necesitas; no muy tarde
        no más; nada más; nomas; no manches
    """,
    day="lunes; martes; miércoles; jueves; viernes; sábado; domingo",
    warm="""
        gracias; muchas gracias; mil gracias; muchísimas gracias; agradecemos; agradezco
        agradecidos; agradecida; por la|su|tu|vuestra invitación; la invitación; invitación
        invitarnos; invitarme; por invitarnos|invitarme; felicidades; felicitaciones; enhorabuena
        muchas felicidades; bendiciones; que dios los bendiga; abrazo; abrazos; besos; saludos
        un abrazo; hola; holaa; buenas; buenas tardes|noches; buenos días; buen día; ok; okay; oka
        okey; vale; perfecto; bueno; bien; genial; excelente; súper
        qué emoción|alegría|lindo|bonito|bien|padre|chido|bueno|felicidad|ilusión
        que emocion|alegria|lindo; dale; listo; los|les|te|os quiero|queremos|quiere|amo|amamos
        cariño; amiga; amigo; amigos; jajaja; jaja; ja; ay; uy; amén; por favor; porfa; todo bien
        con cariño; mucho; muchos; muchas; hermosa; hermoso; querida; querido; queridos; novios
        suerte; éxito; feliz; felices; excited; contentos; contenta; emocionada; emocionado
        emocionados; wey; güey; che; boluda; boludo; parce; carnal; chale; ey; gente
    """,
    light="""
        yo; nosotros; nosotras; que; q; a; al; la; el; los; las; lo; un; una; de; del; en; y; me
        nos; te; les; se; le; su; sus; tu; mi; con; por; para; muy; todo; todos; todas; también
        tambien; ahí; allí; allá; aquí; acá; es; ya; va; van; más; mas; tan; este; esta; ese; esa
        día; noche; tarde; boda; fiesta; evento; ceremonia; gusto; sin; seguro; solamente; ambos
        siempre; ahora; entonces; pues; puro; mismo; juntos; familia; hoy; mañana
    """,
    plain="""
        semana; locos; visto; mensaje; había; ha; sido; hoy; mañana; ayer; enero; febrero; marzo
        abril; mayo; junio; julio; agosto; septiembre; octubre; noviembre; diciembre; trabajo; niños
        hijos; poco; temprano; luego; antes; después; hora; horas; número; mejor; porque; como
        cuando; sobre; hasta; desde; otro; otra; persona; personas; mundo; nada; ganas; lugar
        lugares; adultos; somos; seremos; son; hay; eso; eres; vestido; hotel; carro; coche; avión
        tren; vuelo; boletos; compré; compramos; digo; parte; camino; vegetariana; vegetariano
        iglesia; misa; recepción; segura; invitados; solo; sola; vos; usted; papás; entendido
        familia
    """,
    numbers="""
        cero = 0; uno = 1; una = 1; un = 1; dos = 2; tres = 3; cuatro = 4; cinco = 5; seis = 6
        siete = 7; ocho = 8; nueve = 9; diez = 10; once = 11; doce = 12; quince = 15; veinte = 20
    """,
    party="""
        solo|sólo|solamente|únicamente yo = 1; yo solo|sola|nada = 1; yo nada|no mas|más = 1
        voy|iré|asistiré|ire solo|sola|solito|solita = 1; sola = 1; los|nosotros|las dos|2 = 2
        ambos = 2; mi pareja y yo = 2; en pareja = 2; los tres = 3; los cuatro = 4; los cinco = 5
        nosotros tres = 3; los seis = 6; yo nomás = 1; nosotros dos = 2
    """,
    we_are="""
        somos; éramos; seremos; seríamos; vamos; iremos; asistiremos; asistirán; en total; total
        un total de; familia de; grupo de; mesa para; confirmo; confirmamos; confirmado
        asistencia de|para; para; lugares para; estaremos; vamos a ser; contamos; llegaremos; serían
        van; irán
    """,
    in_all="en total; de nosotros|nosotras; total; conmigo; todos juntos",
    me="yo; mí; conmigo",
    one="""
        mi? esposa|esposo|marido|mujer|novia|novio|pareja|mamá|papá|madre|padre|hijo
        mi? hija|hermano|hermana|prometida|prometido|suegra|suegro|abuela|abuelo|tía|tío|prima|primo
        un|una|mi|otro|otra amigo|amiga|acompañante|invitado|invitada|bebé
        un|una|mi|otro|otra niño|niña|colega|compañero|compañera|persona; el bebé; alguien; la nena
        el nene; un bb
    """,
    people="""
        personas; persona; adultos; adulto; invitados; lugares; lugar; asientos; asiento; pases
        puestos; sillas; cupos; boletos; comensales; jóvenes; asistentes
    """,
    adults="adultos; adulto; jóvenes",
    kids="""
        niños; niño; niñas; niña; hijos; hijas; hijo; amigos; amigas; bebés; chicos; peques; menores
        nenes; hermanos
    """,
    and_="y; e; &",
    with_="con; junto con; acompañado de; acompañada de; llevo a; llevaré a; llevo; voy con",
    plus="más; mas; +",
    or_="o; u",
    instead="""
        no; no espera|esperen; espera; perdón; digo; mejor dicho; ahora; ahora solo|sólo|somos
        corrijo; quiero|quise decir; en realidad
    """,
    of_which="""
        de los cuales; de las cuales; incluyendo; incluidos; de ellos; entre ellos; uno vegetariano
        dos de ellos
    """,
    for_="para; x; por; como; unos; los; de; asistencia; seríamos; solo; nada",
    at="""
        a las; a la; las; como a las; tipo; sobre las; alrededor de las; el; el día; día
        antes de las; después de las; hasta las; desde las; de las; por las; número; es; tipo las
        al; cumple; años; calle; a
    """,
    unit="""
        am; pm; de la noche|tarde|mañana; horas; hora; hs; h; hrs; minutos; min; días; semanas
        meses; años
        de enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre
        km; pesos; euros; dólares; veces; por ciento; vegetariano; vegetarianos; vegetarianas
        y media; y cuarto; en punto; noches; cuadras
    """,
    called="""
        no; calle; número; numero; habitación; salón; mesa; puerta; piso; casa; av; avenida; mayor
        código; línea; sala
    """,
    alone_yes="""
        s; sep; sí pues; sisi; see; sipi; va; presente; presentes; aceptar; confirmar; asistir
    """,
    alone_no="n; nah; nein; naranjas; paso; rechazar; declinar",
    infinitives_end=("ar", "er", "ir", "rlo", "rla", "rme", "rte", "rse", "rnos", "rles", "rlos"),
)
