"""Spanish words for how many come: numbers, and what makes one of guests or of other things."""

NUMBERS = """
    cero = 0; uno = 1; una = 1; un = 1; dos = 2; tres = 3; cuatro = 4; cinco = 5; seis = 6
    siete = 7; ocho = 8; nueve = 9; diez = 10; once = 11; doce = 12; trece = 13; catorce = 14
    quince = 15; dieciséis = 16; diecisiete = 17; dieciocho = 18; diecinueve = 19; veinte = 20
    veintiuno = 21; veintiuna = 21; veintiún = 21; veintidós = 22; veintitrés = 23
    veinticuatro = 24; veinticinco = 25; veintiséis = 26; veintisiete = 27; veintiocho = 28
    veintinueve = 29; treinta = 30; treinta y cinco = 35; cuarenta = 40; cincuenta = 50
    sesenta = 60; docena = 12; una docena = 12; media docena = 6; sei = 6
"""

# In itself a number of people.
PARTY = """
    solo|sólo|solamente|únicamente|nomás|apenas|nomas yo = 1; yo solo|sola|solito|solita = 1
    yo nada|no más|mas = 1; yo nomás = 1; yo solamente|únicamente|nomas = 1; solo|sólo voy yo = 1
    voy|iré|asistiré|ire solo|sola|solito|solita|solari|solitario = 1
    llego|caigo|estaré|iría solo|sola|solito|solita|solari|solitario = 1; sola = 1; solito = 1
    solita = 1; sin acompañante|acompañantes = 1; sin pareja = 1; voy yo y ya = 1; por mi cuenta = 1
    a título individual = 1; uno solo = 1; una sola = 1; no llevo|traigo a nadie = 1
    no llevo|traigo acompañante|pareja = 1; solo asistiré|iré yo = 1; solo para mí = 1
    igual pero solo|sola = 1; los|nosotros|nosotras|las dos|2 = 2; nosotros|nosotras 2 = 2
    ambos = 2; ambas = 2; en pareja|dupla|parejita = 2; somos pareja = 2; ella|él y yo = 2; x2 = 2
    ellos dos = 2; tú y yo = 2; un|este par = 2; un|una dúo|dupla|matrimonio = 2
    somos el? matrimonio = 2
    vamos|iremos|asistimos|acudimos|asistiremos|confirmamos el matrimonio = 2; una pareja = 2
    los|nosotros|nosotras|las tres|3 = 3; los|nosotros|nosotras|las cuatro|4 = 4
    los|nosotros|nosotras|las cinco|5 = 5; los|nosotros|nosotras|las seis|6 = 6
    los|nosotros|nosotras|las siete|7 = 7; los|nosotros|nosotras|las ocho|8 = 8; los otros tres = 3
    los otros cuatro = 4; un trío = 3; un cuarteto = 4; un solo cubierto|lugar|puesto|asiento = 1
    los dos solos|solitos = 2
"""

WE_ARE = """
    somos; éramos; seremos; seríamos; vamos; iremos; asistiremos; asistirán; en total; total
    un total de; familia de; grupo de; mesa para|de; confirmo; confirmamos; confirmado
    asistencia de|para; para; lugares para; estaremos; vamos a ser; contamos; llegaremos; serían
    van; irán; semo; somo; vamo; son; quedamos; quedamos en; llegamos; caemos; salimos; venimos
    asistimos; asistirá; podemos ir; pueden ir; vamos a ir; vamo a ir; van a ir; o sea; ósea; osea
    así que; asi que; es decir; entonces; por tanto; así que vamos|somos; entonces somos|vamos; pon
    ponle; ponme; ponnos; pone; pongan; ponga; poné; póngame; pónganos; apunta; apúntame; apúntanos
    apunte; apunten; apúntenos; apuntad; apuntanos; anota; anote; anoten; anotá; anotame; anótame
    anótanos; anotanos; anótenos; anotad; cuenta; cuente; cuenten; contá; contad; cuéntame
    cuenta con; contad con; cuenten con; cuente con; reserva; reservad; reserven; resérvame; guarda
    guarden; guárdame; guárdanos; guárdenme; aparta; apártame; invitados; asistentes; vamos seguro
    ahí les caemos; les caemos; le caemos; presentes; confirmados; confirmadas; estamos
    ahí estaremos; ahí estamos; cupo para; dijimos; serán; allí estaremos; ser; sean; quedo
    quedaríamos; me quedo en
"""

IN_ALL = """
    en total; de nosotros|nosotras; total; conmigo; todos juntos; yo incluido|incluida; contándome
    contando|incluyendo conmigo; por nuestra|mi parte; de mi|nuestra parte; de la? familia
    del equipo|curro|piso|club; de casa; de la casa|oficina|empresa|parroquia; contando a|al|con
    con ella|él|ese|esa; en el coche|carro; de los nuestros; incluido; incluida; incluyéndome
    en mesa; a la mesa; nada más; nomás; por acá; no más; vamos; iremos; estaremos; asistiremos
"""

INSTEAD = """
    no; no espera|esperen|espérate|perdón; espera; perdón; digo; mejor dicho; ahora; ahora solo|sólo
    ahora somos; corrijo; quiero|quise decir; en realidad; sino; me equivoqué; ups; miento; no digo
    al final
"""

OF_WHICH = """
    de los cuales; de las cuales; incluyendo; incluidos; de ellos; entre ellos; uno vegetariano
    dos de ellos; uno|una de ellos|ellas; uno|una celíaco|celíaca|vegano|vegana|vegetariana
"""

OUT_OF = """
    de los; de las; de nosotros; de todos; de; del; de la; y no
"""

ABOUT = """
    unos; unas; como; aproximadamente; más o menos; alrededor de; mínimo; al menos; por lo menos
    casi; máximo; entre; cerca de; aprox; tal vez; hasta; a lo mejor; mas o menos
    mínimo|máximo vamos|somos
"""

FOR = "para; x; por; asistencia; seríamos"

AT = """
    a las; a la; la; las; como a las; tipo; sobre las; alrededor de las; el; el día; día
    antes de las; después de las; hasta las; desde las; de las; por las; número; es; tipo las; al
    cumple; años; calle; a; hace; dentro de; en; tus; sus; a los; talla
"""

UNIT = """
    am; pm; de la noche|tarde|mañana; horas; hora; hs; h; hrs; minutos; min; días; semanas; meses
    años; de enero|febrero|marzo|abril|mayo|junio; añitos
    de julio|agosto|septiembre|octubre|noviembre|diciembre; km; pesos; euros; dólares; veces
    por ciento; vegetariano; vegetarianos; vegetarianas; y media; y cuarto; en punto; noches
    cuadras; carros; coches; autos; pisos; botellas; docenas; litros; kilos; regalos; mesas; tartas
    tazas; vez; mil; asuntos; fotos; cosas; preguntas; quintales; cuadros; gatos; perros; pasteles
    vinos; tortillas; cervezas; mulas; motos; kilómetros; cuartos; habitaciones; de fiebre
    de temperatura
"""

CALLED = """
    no; calle; número; numero; habitación; salón; mesa; puerta; piso; casa; av; avenida; código
    línea; sala; día; fila; promo del; grupo; bus
"""

# Looks like a number or a person and is none.
SKIP = """
    un rato|ratito|momento|momentito|abrazo|beso|besito
    un día|poco|poquito|gusto|placer|honor|saludo; una hora|vez|alegría|cosa|pregunta|semana
    una noche|fiesta|boda|pena|ilusión|lástima|bendición; ustedes dos|2; vosotros|vosotras dos
    los novios; la novia y; a los dos|2; para los dos; un fin; uno de estos; hermano querido
    mi vida|reina|amor|cielo|corazón|rey; madre mía; de una; por una; en uno; otro día; los dos días
    una buena; tu|vuestra madre|padre y; saludos a; un saludo a; un abrazo a; como un hermano
    como un padre; como una madre; la hermana mayor
"""

# The number beside it comes in addition, or does not come after all.
MORE = """
    más; mas; uno|una|otro|otra|alguien más|mas; súmale; sumale; suma; sume; súmenle; agrega
    agregue; agréguele; añade; añada; uno extra; otro extra; sumá; agregá; agregale; adicional
"""

FEWER = """
    menos; uno|una menos; quita; quite; quitá; quiten; saca; saque; resta; reste; borra; borrá
    descuenta; descuente; se bajaron; se rajaron; se cayeron; faltarán; fallan; se bajó uno|una
"""
