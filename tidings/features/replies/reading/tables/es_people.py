"""Spanish words for who comes and how many, with the family names of Spain and Latin America."""

NUMBERS = """
    cero = 0; uno = 1; una = 1; un = 1; dos = 2; tres = 3; cuatro = 4; cinco = 5; seis = 6
    siete = 7; ocho = 8; nueve = 9; diez = 10; once = 11; doce = 12; trece = 13; catorce = 14
    quince = 15; dieciséis = 16; diecisiete = 17; dieciocho = 18; diecinueve = 19; veinte = 20
    veintiuno = 21; veintiuna = 21; veintiún = 21; veintidós = 22; veintitrés = 23
    veinticuatro = 24; veinticinco = 25; veintiséis = 26; veintisiete = 27; veintiocho = 28
    veintinueve = 29; treinta = 30; treinta y cinco = 35; cuarenta = 40; cincuenta = 50
    sesenta = 60; media? docena = 12; una? docena = 12; media docena = 6; sei = 6; cuatros = 4
"""

# In itself a number of people.
PARTY = """
    solo|sólo|solamente|únicamente|nomás|apenas yo = 1; yo solo|sola|solito|solita|nada = 1
    yo nada|no más|mas = 1; yo nomás = 1; yo solamente|únicamente|nomas = 1; solo|sólo voy yo = 1
    voy|iré|asistiré|ire solo|sola|solito|solita|solari|solitario = 1
    llego|caigo|estaré|iría solo|sola|solito|solita|solari|solitario = 1; sola = 1; solito = 1
    solita = 1; sin acompañante|acompañantes = 1; sin pareja = 1; voy yo y ya = 1; por mi cuenta = 1
    a título individual = 1; uno solo = 1; una sola = 1; no llevo|traigo a nadie = 1
    no llevo|traigo acompañante|pareja = 1; los|nosotros|nosotras|las dos|2 = 2
    nosotros|nosotras 2 = 2; ambos = 2; ambas = 2; mi pareja y yo = 2; en pareja|dupla|parejita = 2
    somos pareja = 2; ella|él y yo = 2; tú y yo = 2; un|este par = 2
    un|una dúo|dupla|matrimonio = 2; somos el matrimonio = 2
    vamos|iremos|asistimos|acudimos|asistiremos|confirmamos el matrimonio = 2
    los|nosotros|nosotras|las tres|3 = 3; los|nosotros|nosotras|las cuatro|4 = 4
    los|nosotros|nosotras|las cinco|5 = 5; los|nosotros|nosotras|las seis|6 = 6
    los|nosotros|nosotras|las siete = 7; los|nosotros|nosotras|las ocho = 8; un trío = 3
    un cuarteto = 4; dos parejas|matrimonios = 4; tres parejas|matrimonios = 6
    cuatro parejas|matrimonios = 8; mamá y papá = 2; papá y mamá = 2; mami y papi = 2
    papi y mami = 2; madre e hija|hijo = 2; padre e hijo|hija = 2
"""

# Two or three people under one name.
TWINS = """
    mis|sus|los|tus papás|padres|viejos|papis|suegros|abuelos|taitas = 2
    los|las|mis gemelos|gemelas|mellizos|mellizas|morochos|morochas|jimaguas|cuates = 2; gemelos = 2
    gemelas = 2; mellizos = 2; mellizas = 2; la parejita = 2; los|las|mis trillizos|trillizas = 3
    trillizos = 3; trillizas = 3
"""

ME = """
    yo; a|para|por mí; conmigo; un|una|este|su|tu|vuestro|vuestra servidor|servidora; yo mismo|misma
    mi persona; el|la que suscribe|escribe; la de la voz; una|esta humilde? servidora
"""

_FAMILY = """
    esposa|esposo|marido|pareja|novia|novio|prometida|prometido|esposito|esposita|maridito|jeva|doña
    suegra|suegro|cuñada|cuñado|yerno|nuera|sobrina|sobrino|nieta|nieto|abuela|abuelo|hermana|hermano
    mujer|señora|polola|pololo|vieja|viejo|morra|morro|chava|chavo|flaca|flaco|gorda|gordo|negra|bruja
    jermu|patrona|jefa|chica|chico|costilla|mamá|mami|mamita|ma|madre|amá|papá|papi|papito|pa|padre|apá
    abue|nona|nono|yaya|yayo|abuelita|abuelito|viejita|viejito|madrina|padrino|ahijada|ahijado|hijastro
    hija|hijo|hijita|hijito|ija|ijo|niña|niño|nena|nene|bebé|bebe|bb|guagua|chamaco|chamaca|peque|mellizo
    pequeña|pequeño|pequeñín|crío|cría|criatura|chiquito|chiquita|chiquitín|bebito|retoño|hijastra|melliza
    hermanita|hermanito|tía|tío|tita|tito|prima|primo|comadre|compadre|cumpa|nietecito|nietecita|gemelo
    nietita|nietito|sobrinita|sobrinito|primita|primito|cuñadita|suegrita|mayor|menor|madrastra|gemela
"""
_OTHERS = """
    pana|parcero|parcera|parce|compa|roomie|roommate|compinche|amiga|amigo|amigui|colega|compañera
    compañero|socia|socio|vecina|vecino|acompañante|invitado|invitada|cuidadora|muchacha|muchacho|chofer
    adolescente|persona|enfermera|niñera|secretaria|asistente|jefe|sacristán|diácono
"""
_WORDS = "|".join((_FAMILY + _OTHERS).split())

# One person more. Without an article they may be how the hosts are addressed.
ONE = f"""
    esposa; esposo; marido; pareja; novia; novio; prometida; prometido; suegra; suegro; yerno; nuera
    a|para? mi|su {_WORDS}; tu|la|el|un|una|otro|otra|nuestro|nuestra|vuestra {_WORDS}; alguien
    mi|el|la|un|una mejor amigo|amiga; mi peor es nada; mi media naranja; la|el mamá|papá|madre de
"""

PEOPLE = """
    personas; persona; adultos; adulto; adulta; adultas; invitados; lugares; lugar; asientos
    asiento; pases; pase; puestos; puesto; sillas; silla; cupos; cupo; boletos; boleto; comensales
    jóvenes; asistentes; plazas; plaza; entradas; entrada; cubiertos; cubierto; platos; plato
    sitios; sitio; bocas; cabezas; sillitas; servicios; menús; tickets; tiques; tikets; mayores
    grandes; personitas; señoras; señores; mujeres; hombres; varones; docentes; profes; titulares
    suplentes; almas; pax; trona
"""

KIDS = """
    niños; niño; niñas; niña; hijos; hijas; hijo; hija; amigos; amigas; bebés; bebé; bebes; chicos
    chicas; peques; pequeños; pequeñas; menores; menor; nenes; nenas; hermanos; hermanas; hermanitos
    hermanitas; críos; crías; crios; chamacos; chamacas; guaguas; cabros chicos?; pibes; pibas
    enanos; enanas; chavos; chavas; muchachos; muchachas; nietos; nietas; nietecitos; nietecitas
    sobrinos; sobrinas; primos; primas; tíos; tías; amiguitos; amiguitas; colegas; compas
    compañeros; compañeras; monstruos; hijitos; hijitas; ijos; ijas; nueras; yernos; cuñados
    cuñadas; chiquitos; chiquitas; acompañantes; panas; parceros; adolescentes
"""
