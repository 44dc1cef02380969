"""Spanish words for who comes, with the family names of Spain and Latin America."""

ME = """
    yo; a|para|por mí; un|una|este|esta|su|tu|vuestro|vuestra humilde? servidor|servidora
    yo mismo|misma; servidor; servidora; mi persona; el|la que suscribe|escribe; la|el de la voz
    menda; conmigo
"""

# One person more. The words before them are in OWN.
ONE = """
    esposa; esposo; marido; pareja; novia; novio; prometida; prometido; esposito; esposita; maridito
    suegra; suegro; cuñada; cuñado; yerno; nuera; sobrina; sobrino; nieta; nieto; abuela; abuelo
    bebé; bebe; bb; mujer; polola; pololo; jeva; jevita; morra; chava; chavo; jermu; patrona
    costilla; mamá; madre; amá; papá; padre; apá; abue; nona; nono; yaya; yayo; abuelita; abuelito
    viejita; viejito; ahijada; ahijado; hijastro; hijastra; guagua; peque; pequeñín; crío; cría
    criatura; chiquito; chiquita; chiquitín; bebito; retoño; hermanita; hermanito; nietecito
    nietecita; nietita; nietito; sobrinita; sobrinito; primita; primito; gemelo; gemela; mellizo
    melliza; madrastra; padrastro; suegrita; exmarido
    mi|tu|su|la|el vieja|viejo|flaca|flaco|gorda|gordo|negra
    mi|tu|su|la|el negro|bruja|jefa|chica|chico|cumpa|ex; mi|tu|su|la|el má|ma|pá|pa|morro|muchacha
    mi|tu|su|la|el muchacho|menor|mayor|grande|pequeña|pequeño|chiquilla; roomie; roommate; socia
    socio; acompañante; invitado; invitada; cuidadora; adolescente
    hijo|hija|hermano|hermana menor|mayor|chico|chica|grande|pequeño|pequeña
    nieto|nieta|niño|niña menor|mayor|chico|chica|grande|pequeño|pequeña; alguien; mejor amigo|amiga
    mi peor es nada; media naranja; chofer; niñera; un|una menor
    compañero|compañera de piso|trabajo|clase|caja|labo|curso; la|el mamá|papá|madre|padre de
    husband; hijo|hija|niño|niña de 1|2|3|4|5|6|7|8|9 años|añitos|meses|añito?
    nene|nena|nieto|nieta|peque de 1|2|3|4|5|6|7|8|9 años|añitos|meses|añito?
    hijo|hija|niño|niña de 10|11|12|13|14|15|16|17|18 años|añitos?
    nene|nena|nieto|nieta|peque de 10|11|12|13|14|15|16|17|18 años|añitos?
    sobrino|sobrina|hermano|hermana|bebé|bebe|uno|una de 1|2|3|4 años|añitos|meses?
    sobrino|sobrina|hermano|hermana|bebé|bebe|uno|una de 5|6|7|8|9 años|añitos|meses?
    sobrino|sobrina|hermano|hermana|uno|una de 10|11|12|13 años|añitos|meses?
    sobrino|sobrina|hermano|hermana|uno|una de 14|15|16|17|18 años|añitos|meses?
    mi|tu|su|la|el|un|una|otro|otra|nuestro|nuestra tía|tío|tita|tito
    mi|tu|su|la|el prima|primo|comadre|compadre|vecina|vecino
    un|una|otro|otra|nuestro|nuestra prima|primo|comadre|compadre|vecina|vecino
    mi|tu|su|la|el|un|una|otro|otra|nuestro|nuestra mijo|mija
    mi|tu|su|la|el amiga|amigo|amigui|pana|parcero|parcera
    un|una|otro|otra|nuestro|nuestra amiga|amigo|amigui|pana|parcero|parcera
    mi|tu|su|la|el|un|una|otro|otra|nuestro|nuestra parce|señora|doña|mami|papi|mamita
    mi|tu|su|la|el|un|una|otro|otra|nuestro|nuestra papito|compa|colega
    mi|tu|su|la|el madrina|padrino|madrecita|padrecito|chamaco|chamaca
    un|una|otro|otra|nuestro|nuestra madrina|padrino|madrecita|padrecito|chamaco|chamaca
    mi|tu|su|la|el|un|una|otro|otra|nuestro|nuestra compañero|compañera|ija|ijo; hermana; hermano
    hija; hijo; niña; niño; nena; nene; hijita; hijito
    hermana|hermano gemela|gemelo|melliza|mellizo; ex
"""

# Two or three people under one name.
GROUP = """
    papás = 2; padres = 2; mis|los|tus viejos = 2; papis = 2; suegros = 2; abuelos = 2; papaces = 2
    gemelos = 2; gemelas = 2; mellizos = 2; mellizas = 2; morochos = 2; morochas = 2; jimaguas = 2
    cuates = 2; gemelitos = 2; trillizos = 3; trillizas = 3; la parejita = 2; taitas = 2
    mamá y papá = 2; papá y mamá = 2; mami y papi = 2; papi y mami = 2; madre e hija|hijo = 2
    padre e hijo|hija = 2; tíos y = 2; padrinos = 2
"""

ADULTS = """
    adultos; adulto; adulta; adultas; mayores; grandes; jóvenes; mujeres; hombres; varones; señoras
    señores; titulares; suplentes; jubilados; viudas; ancianos
"""

PEOPLE = """
    personas; persona; invitados; lugares; lugar; asientos; asiento; pases; pase; puestos; puesto
    sillas; silla; cupos; cupo; boletos; boleto; comensales; asistentes; plazas; plaza; entradas
    entrada; cubiertos; cubierto; platos; plato; sitios; sitio; bocas; cabezas; sillitas; servicios
    menús; tickets; tiques; tikets; personitas; almas; pax; docentes; profes; integrantes; butacas
    huecos
"""

# Who comes in addition to the guest.
KIDS = """
    niños; niñas; hijos; hijas; amigos; amigas; bebés; bebes; chicos; chicas; peques; pequeños
    pequeñas; menores; nenes; nenas; hermanos; hermanas; hermanitos; hermanitas; críos; crías
    chamacos; chamacas; chamaquitos; guaguas; cabros chicos?; pibes; pibas; enanos; enanas; chavos
    chavas; muchachos; muchachas; nietos; nietas; nietecitos; nietecitas; nietitos; sobrinos
    sobrinas; primos; primas; tíos; tías; amiguitos; amiguitas; colegas; compas; compañeros
    compañeras; monstruos; hijitos; hijitas; ijos; ijas; nueras; yernos; cuñados; cuñadas; chiquitos
    chiquitas; acompañantes; panas; parceros; adolescentes; abuelas; suegras; bisabuelas; niño; niña
    hijo; hija; bebé; bebe; menor; amigo; amiga; chico; chica; chiquito; chiquita; acompañante
    retoños; mocosos; güilas; patojos; vecinos; comadres; churumbeles; invitado; colega
"""

PAIRS = "parejas; matrimonios"

VAGUE = """
    familia; gente; tropa; resto; demás; panda; banda; barra; combo; pandilla; familión; familiares
    parentela; unos|algunos|algunas|varios|varias amigos|amigas|primos|familiares; algún hijo|amigo
"""

# Allowed before a person in a list.
OWN = """
    mi; mis; tu; tus; su; sus; el; la; los; las; nuestro; nuestra; nuestros; nuestras; vuestro
    vuestra; a; al; este; esta; también; pues; eh; bueno; linda; lindo; querida; querido; hermosa
    hermoso; ese; propia; propio; pequeña; pequeño; adorada; adorado; santa; don; doña; señor; dr
    dra; sr; sra; ingeniero; doctor; doctora; otro; otra; otros; otras; e; igual; claro; mí
"""

US = "nosotros; nosotras; vamos; iremos; estaremos; somos; llegamos; asistiremos; asistimos"

WITH = """
    con; junto con; junto a; acompañado de; acompañada de; en compañía de; llevo a; llevaré a
    de la mano de; traigo a; traeré a; llevando a; acompañado|acompañada por; jalo con
    llevo conmigo a; llevo mis; me llevo a; se suma; se suman; se sumó a?; se nos? une; se nos? unen
    se nos? pega; se nos? pegan; se apunta; se apuntan; se apuntó; se anima; se animan; se animó
    se viene; se vienen; súmale a?; súmenle a?; sumale a?; agrega a; agregue a; agréguele a; añade a
    añada a; añádele a?; apunta también a; viene también; vienen también; va también; van también
    también va; también van; también viene; también vienen; también trae a
"""

LACK = """
    sin mi|mis|el|la|los|las|tu; menos mi|mis|el|la|los|las; excepto; salvo; no llevo|llevamos a
    no llevo|llevamos mi|el|la|los
"""

JOINING = """
    va|van|viene|vienen|irá|irán|vendrá|vendrán conmigo; me acompaña|acompañan|acompañará
    me lleva|llevan|trae; se viene conmigo; vienen y voy yo
"""

ALSO = "también; tambien; tmb; tb"

# Verbs that bring somebody else along; they are in WITH too.
BRING = """
    llevo a; llevaré a; llevo mis; me llevo a; traigo a; traeré a; se suma; se suman; se sumó a?
    se nos? une; se nos? unen; se nos? pega; se nos? pegan; se apunta; se apuntan; se apuntó
    se anima; se animan; se animó; se viene; se vienen; súmale a?; súmenle a?; sumale a?; agrega a
    agregue a; agréguele a; añade a; añada a; añádele a?; apunta también a; viene también
    vienen también; va también; van también; también va; también van; también viene; también vienen
    también trae a
"""

# The people before it do not come after all.
GONE = """
    ya? no va|van|viene|vienen|puede|pueden al|más|ya?
    ya? no podrá|podrán|irá|irán|vendrá|vendrán al|más|ya?; no van|va a poder
    tampoco va|van|viene|puede; se queda|quedan; se quedará; se quedarán; se bajó; se bajaron
    se rajó; se rajaron; se enfermó; enfermó; se enfermaron; se arrepintió; se cayó
    se echó para atrás; canceló; cancelaron; está|están enfermo|enferma|enfermos|malo|mala|malito
    está en cama; tiene examen|exámenes|torneo|partido|guardia|turno; tienen examen|exámenes|partido
    los|las|lo|la dejamos|dejo; está en el hospital; trabaja; trabajan; no se anima; ya no
    al final no
"""
