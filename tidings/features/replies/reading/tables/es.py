"""Spanish, of Spain and of Latin America."""

from ..table import Table
from . import es_numbers as numbers
from . import es_open as open_
from . import es_people as people
from . import es_refusals as refusals

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
        faltaría más; imposible faltar|perdérmelo|perdérnoslo|negarme|negarse|fallar|fallarles
        imposible decir|decirles|decirte que? no; imposible que yo? falte|faltemos
        imposible que me|nos lo pierda|perdamos; cómo no voy|vamos a ir|estar
        no me|nos lo|la pierdo|perdemos ni loco|loca|muerto|muerta
        no te|les|os|le|lo fallo|fallamos|fallaré|fallaremos
        no pienso|pensamos perderme|perdérmelo|perdernos|perdérnoslo|faltar
        ni lo dudes|duden|dude|dudéis; dalo por hecho; cómo que si voy|vamos
        cómo perdérmelo|perdérnoslo|faltar; no podía|podíamos|podría|puedo faltar|perdérmelo
        no me|nos lo|la perdería|perderíamos; ni loco|loca falto|faltaría; no faltaba más
        quién va a faltar; me|nos niego|negamos a perdérmelo|perdérnoslo|faltar
        no me|nos queda otra que ir; no me pierdo una fiesta; antes muerta|muerto que faltar
    """,
    no=refusals.NO,
    cannot=refusals.CANNOT,
    go="""
        voy; vamos; iré; ire; iremos; asistiré; asistiremos; asistire; asistimos; asisto
        ahí|allí|allá|aquí|acá|ay estaré|estaremos|estamos|estoy|andaremos
        estaré|estaremos|estamos|estoy|andaremos ahí|allí|allá|presente|presentes|con; aca estaremos
        los|les|te|os acompañaré|acompañaremos|acompaño|acompañamos|acompañaremos; acompañaremos
        acompañamos; llegamos; llegaré; llegaremos; llego; vendré; vendremos; vamos todos; caeremos
        caigo; caemos; ahi les caemos; me|nos uno|unimos; participaré; participaremos; participo
        viajo para|a; viajaremos
        voy|vamos a la|tu|su|vuestra boda|fiesta|evento|ceremonia|misa|casamiento; vengo; venimos
        acudo; acudimos; acudiremos; acudiré; apunto
    """,
    be="estaré; estaremos; estamos; andaremos",
    to_go="""
        ir; asistir; acudir; estar; venir; llegar; acompañar; acompañarlos; acompañarles
        acompañarte; acompañaros; participar; unirme; unirnos; ser parte; celebrar con; llevo
        llevamos; llevaré; traigo; me traigo
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
    miss=refusals.MISS,
    sorry=refusals.SORRY,
    how="""
        llegar|llegaremos|llegaré|llego|llegamos tarde
        tarde; temprano; solo; sola; solos; antes; mucho rato|tiempo; con las manos vacías
    """,
    spirit="""
        en espíritu; con el pensamiento; en pensamiento; de pensamiento
        en mis|nuestros pensamientos; con el corazón; de corazón; espiritualmente
    """,
    away=refusals.AWAY,
    maybe=open_.MAYBE,
    if_=open_.IF,
    ask=open_.ASK,
    but="pero; aunque; sin embargo; mas; solo que; sólo que",
    who="""
        él; ella; ellos; ellas; mi esposa|esposo|marido|mujer|hermano|hermana|mamá|papá|madre
        mi padre|novio|novia|hijo|hija|pareja|suegra|tía|abuela
        mis padres|hijos|papás|hermanos|suegros|abuelos|hijas; los niños; los chicos; el niño
        la niña; mi familia
    """,
    other=open_.OTHER,
    void=open_.VOID,
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
        emocionados; wey; güey; che; boluda; boludo; parce; carnal; chale; ey; gente; compadre
        comadre; tía; tío; mijo; mija; vecina; vecino; primo; prima; hermano; hermana; hija; hijo
        doña; mi niña|niño|amor|vida|cielo|rey|reina; amorcito
    """,
    light="""
        mis; tus; nuestro; nuestra; nuestros; nuestras; vuestro; vuestra; yo; nosotros; nosotras
        que; q; a; al; la; el; los; las; lo; un; una; de; del; en; y; me; nos; te; les; se; le; su
        sus; tu; mi; con; por; para; muy; todo; todos; todas; también; tambien; ahí; allí; allá
        aquí; acá; es; ya; va; van; más; mas; tan; este; esta; ese; esa; día; noche; tarde; boda
        fiesta; evento; ceremonia; gusto; sin; seguro; solamente; ambos; siempre; ahora; entonces
        pues; puro; mismo; juntos; familia; hoy; mañana; justa; justo; justos; justas; justita
        exactos; cierto; por cierto
    """,
    plain="""
        semana; locos; visto; mensaje; había; ha; sido; hoy; mañana; ayer; enero; febrero; marzo
        abril; mayo; junio; julio; agosto; septiembre; octubre; noviembre; diciembre; trabajo; niños
        hijos; poco; temprano; luego; antes; después; hora; horas; número; mejor; porque; como
        cuando; sobre; hasta; desde; otro; otra; persona; personas; mundo; nada; ganas; lugar
        lugares; adultos; somos; seremos; son; hay; eso; eres; vestido; hotel; carro; coche; avión
        tren; vuelo; boletos; compré; compramos; digo; parte; camino; vegetariana; vegetariano
        iglesia; misa; recepción; segura; invitados; solo; sola; vos; usted; papás; entendido
        familia; llevo; llevamos; llevaré; traigo; nombre; boca; ilusión; pienso; caldero; contando
        contandonos; parroquia; entera; deja; come; comen
    """,
    numbers=numbers.NUMBERS,
    party=numbers.PARTY,
    we_are=numbers.WE_ARE,
    in_all=numbers.IN_ALL,
    me=people.ME,
    one=people.ONE,
    people=people.PEOPLE,
    group=people.GROUP,
    adults=people.ADULTS,
    kids=people.KIDS,
    pairs=people.PAIRS,
    vague=people.VAGUE,
    own=people.OWN,
    us=people.US,
    and_="y; e; &; y también; además de; más; mas",
    with_=people.WITH,
    bring=people.BRING,
    lack=people.LACK,
    joining=people.JOINING,
    also=people.ALSO,
    plus="+",
    or_="o; u",
    instead=numbers.INSTEAD,
    of_which=numbers.OF_WHICH,
    out_of=numbers.OUT_OF,
    about=numbers.ABOUT,
    for_=numbers.FOR,
    at=numbers.AT,
    unit=numbers.UNIT,
    more=numbers.MORE,
    fewer=numbers.FEWER,
    gone=people.GONE,
    skip=numbers.SKIP,
    called=numbers.CALLED,
    alone_yes="""
        s; sep; sí pues; sisi; see; sipi; va; presente; presentes; aceptar; confirmar; asistir
    """,
    alone_no="n; nah; nein; naranjas; paso; rechazar; declinar",
    infinitives_end=("ar", "er", "ir", "rlo", "rla", "rme", "rte", "rse", "rnos", "rles", "rlos"),
)
