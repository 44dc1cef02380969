"""Spanish words of who stays away: refusals, regret, and reasons."""

NO = """
    bórrame|bórrenme|quítame|quítenme|táchame|táchenme de la lista?
    no; nop; nel; nones; nanay; para nada; no gracias
    lamentablemente|desafortunadamente|desgraciadamente|tristemente no; por desgracia no
    esta|ésta vez no; otra vez será; para|será la próxima; la próxima vez? será?; próxima vez
    en? otra ocasión; otro día será; será en otra; imposible; me|nos es|resulta|será imposible
    no me|nos? es|será|sera|resulta posible
    tengo|tenemos|debo|debemos|voy|vamos a? que? cancelar|declinar|rechazar; cancelo; cancelamos
    cancelar; cancela; cancelen; declino; declinamos; debo declinar; rechazo; esta vez paso; yo paso
    pasamos; ni modo; no cuenten|cuentes|cuente|contéis conmigo|con
    no nos|me esperen|esperes|esperéis; no me|nos interesa; ninguno puede|podemos|va
    ni loco|loca|locos; qué pena no; no hay manera|forma|chance
    no se|me|nos puede|da|cuadra|alcanza; tampoco; claro|seguro|obvio que? no; debo excusarme
    me excuso; me|nos habría|hubiera|hubiese encantado|gustado|querido
    encantado|gustado me|nos habría|hubiera|hubiese
    hubiera|hubiese|habría|hubiéramos|hubiésemos|habríamos querido|ido|estado|asistido
    qué más quisiera|quisiéramos; ya|bien me gustaría; ya quisiera
    me|nos quedo|quedé|quedamos|quedaré con las ganas
    me|nos quedo|quedamos|quedaré|quedaremos en casa; me gustaría poder; ojalá pudiera|pudiéramos
    los|les|te|os? acompaño|acompañamos oraciones|oración|pensamiento
    los|les|te|os? acompañaré|acompañaremos|acompañar oraciones|oración|pensamiento
    los|les|te|os? acompaño|acompañamos desde? distancia|lejos|lejitos
    los|les|te|os? acompañaré|acompañaremos|acompañar desde? distancia|lejos|lejitos
    los|les|te|os? acompaño|acompañamos corazón|espíritu|alma
    los|les|te|os? acompañaré|acompañaremos|acompañar corazón|espíritu|alma
    los|les|te|os? acompaño|acompañamos rezo|rezos|vela|velita
    los|les|te|os? acompañaré|acompañaremos|acompañar rezo|rezos|vela|velita
    ahí|allí|allá? estaré|estaremos con|en|de? en? espíritu|alma|pensamiento|corazón
    ahí|allí|allá? estoy|estamos con|en|de? en? espíritu|alma|pensamiento|corazón
    ahí|allí|allá? estaré|estaremos ustedes|vosotros? en? espíritu|alma
    ahí|allí|allá? estaré|estaremos ustedes|vosotros? en? pensamiento|corazón
    ahí|allí|allá? estaré|estaremos vos|ti? en? espíritu|alma|pensamiento|corazón
    ahí|allí|allá? estoy|estamos ustedes|vosotros? en? espíritu|alma|pensamiento|corazón
    ahí|allí|allá? estoy|estamos vos|ti? en? espíritu|alma|pensamiento|corazón
    ahí|allí|allá? estaré|estaremos|estar pensando en ustedes|vosotros|ti; desde lejos|lejitos
    me|nos vas|va|van|vais a tener que perdonar|disculpar
    perdonen|disculpen|perdonad|disculpad mi|nuestra ausencia
    disculpar|disculpen|disculpe nuestra|mi ausencia; no voy|vamos a estar; no asistiré|asistiremos
    bórrame; bórranos; quítame|quítanos de la lista
    no me|nos anote|anoten|anotes|apunte|apuntes|apuntéis|cuente|cuenten
    con el corazón|pensamiento estaré|estaremos|estamos; nadie va|puede|podrá a? poder? ir?
    ninguno de los dos|tres|cuatro puede|podemos|va; ninguno puede|podrá; sin nosotros
    celebren|empiecen|brinden|disfruten sin mí|nosotros
    cancele|cancelen|cancelad|cancela mi|mis|nuestro|nuestros|nuestra
"""

CANNOT = """
    no puedo|podemos|podré|podremos|pueo|podremo|podría|podríamos; no alcanzo|alcanzamos
    tampoco puedo|podemos; no voy|vamos a poder
"""

MISS = """
    me|nos lo|la pierdo|perdemos|perderé|perderemos|perdería|perderíamos; faltar; falto; faltamos
    faltaré; faltaremos; perderme; perdérmelo; perdérmela; perdernos; perdérnoslo; perdérselo
    me|nos la pierdo|perdemos|voy|vamos a? perder; fallarles; fallaros; fallarte
"""

SORRY = """
    lo siento|sentimos; lo siento mucho; perdón; perdona; perdonen; disculpa; disculpe; disculpen
    disculpas; lamentablemente; lamentablmente; lamento; lamentamos; desafortunadamente
    desafortunadamnte; desgraciadamente; por desgracia; qué pena|lástima; una pena|lástima; me apena
    nos apena; sorry; mil disculpas; con pena; tristemente
"""

AWAY = """
    de viaje; de vacaciones; fuera del|de; en el extranjero; viajando; viajamos ese
    otra|otro boda|compromiso|evento|fiesta|cumpleaños; tengo|tenemos que trabajar; trabajo
    trabajo ese; trabajamos; me toca trabajar|turno|guardia
    estoy|estamos|está|están enfermo|enferma|enfermos|enfermas
    estoy|estamos|está|están malo|mala|ocupado|ocupada|ocupados; enfermo; enferma; enfermos
    internado; internada; compromiso previo; ya quedé; ya quedamos; hospital; de guardia
    no estaré|estaremos en|acá; ocupado; ocupada; ocupados
    tengo|tenemos boda|compromiso|turno|guardia|examen|exámenes|vuelo|planes; laburo; chamba
    de reposo; reposo absoluto; reposo; en cama; dengue; covid; cuarentena; de licencia; de baja
    de luto; en urgencias; urgencias; mudanza; de campamento; campamento; peregrinación; operan
    operaron; cirugía; operación; quimio; gripe; fiebre; se casa mi|la|el|una|un; boda de mi
    comunión de mi; bautizo de mi; cumple de mi; cumpleaños de mi; graduación de mi
    ese|el mismo día; misma fecha|hora; de parto; parto; de vuelta; fuera de la ciudad
    en esas|esa fechas|fecha; esas fechas; para esas fechas; me voy de; nos vamos de; nos mudamos
    me mudo; volando; de noches; de mudanza; licencia médica
"""
