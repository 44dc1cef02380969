"""Portuguese words for how many come: numbers, and what makes one of guests or of other things."""

NUMBERS = """
    zero = 0; um = 1; uma = 1; dois = 2; duas = 2; três = 3; tres = 3; quatro = 4; cinco = 5
    seis = 6; meia dúzia = 6; sete = 7; oito = 8; nove = 9; dez = 10; onze = 11; doze = 12
    uma? dúzia = 12; treze = 13; catorze = 14; quatorze = 14; quinze = 15; dezesseis = 16
    dezasseis = 16; dezessete = 17; dezassete = 17; dezoito = 18; dezenove = 19; dezanove = 19
    vinte = 20; vinte e um|uma = 21; vinte e dois|duas = 22; vinte e três = 23; vinte e quatro = 24
    vinte e cinco = 25; vinte e seis = 26; trinta = 30; trinta e cinco = 35; quarenta = 40
    cinquenta = 50; sessenta = 60; unzinho = 1
"""

# In itself a number of people.
PARTY = """
    só|somente|apenas|unicamente mesmo? eu = 1; eu só|sozinho|sozinha|mesmo|somente = 1; sozinho = 1
    sozinha = 1; só uma|1 pessoa = 1; uma|1 pessoa só|apenas = 1; sou só eu = 1; sou eu só = 1
    só vou eu = 1; vou só eu = 1; eu e mais ninguém = 1; sem acompanhante|acompanhantes|par = 1
    desacompanhado = 1; desacompanhada = 1; só a minha pessoa = 1; só 1 = 1; só para|pra mim = 1
    só a mim = 1; somente uma|1 pessoa = 1; vai ser eu só = 1; solo = 1
    os|nós|nos|nóis dois|duas|2 = 2; eu e ele|ela = 2; ele|ela e eu = 2; em|de casal|par = 2
    casal confirmado|presente|confirmadíssimo = 2; só o casal = 2; somos casal = 2; em dupla = 2
    um casal = 2; vamos|iremos|seremos|somos o casal = 2; ambos = 2; ambas = 2; uma dupla = 2
    os|nós|nóis três|3 = 3; os|nós|nóis quatro|4 = 4; os|nós|nóis cinco|5 = 5
    os|nós|nóis seis|6 = 6; os|nós|nóis sete|7 = 7; os|nós|nóis oito|8 = 8; um trio = 3
    trio confirmado = 3; um|o quarteto = 4; somos cá dois = 2; casal com = 2; acompanhado = 2
    acompanhada = 2; nós|vamos|somos as duas = 2; nós|vamos|somos as três = 3
    nós|vamos|somos as quatro = 4; as duas = 2; as três = 3; vou|irei solo = 1
    só|apenas eu e ele|ela = 2; somos o casal = 2; o casal confirma = 2
"""

WE_ARE = """
    somos; seremos; seríamos; vamos em?; iremos em?; vai; vão; no total; total de; éramos; eramos
    família de|com; grupo de; mesa para|pra|de; confirmo; confirmamos; confirmado; confirmada
    presença de|para|pra; para; pra; estaremos em; serão; vamos ser; em; irão; contem; ficamos
    presença confirmada de?; chegamos; vamo; seria; vai ser; vão ser; ficou; ficaram; põe; põe aí
    ponha; ponham; pode por|pôr|botar|colocar|anotar|marcar|reservar|contar; bota; bota aí; coloca
    coloque; marca; marque; marquem; anota; anote; anotem; reserva; reserve; reservem; guarda
    guardem; conta; conte; contem com; conta com; conte com; mete; metam; confirma; confirmem
    inscrevam; então; portanto; por isso; ou seja; quer dizer; total; dando; número de pessoas
    nº de pessoas; o total; ao todo; no final; nóis é em; vamos cá; ficamos em; fechado em; reservar
    pra reservar; inclui; incluam; continuamos; continua; nós somos; deu; iríamos; conosco; são
"""

IN_ALL = """
    de nós; no total; total; ao todo; comigo; todos juntos; contando comigo; comigo incluído
    eu incluída; eu incluído; incluindo eu|me|comigo; daqui de casa; aqui de casa; cá de casa
    lá de casa; de casa; da nossa|minha parte; da família; da firma|empresa|turma|escola; por favor
    cá em casa; confirmados; confirmadas; vamos; iremos; estaremos; contando com; com ele|ela
    na lista; aí na lista; pra gente; para nós; pra nós; de nóis; certinho; certinhos
"""

INSTEAD = """
    não; não espera|pera|peraí; espera; desculpa; digo; quer|quero dizer; ou melhor; melhor; agora
    agora só|somos; aliás; na verdade; corrigindo; pera; peraí; ops; opa; minto; perdão; afinal
    sino; mas sim; desculpe; não desculpe|desculpa
"""

OF_WHICH = """
    sendo; sendo que|q; dos quais; das quais; incluindo; inclusive; entre eles; destes; desses
    um|uma vegetariano|vegetariana|vegano|vegana|celíaco|celíaca; um|uma deles|delas
"""

OUT_OF = """
    dos; das; de nós; do; da; de; e não
"""

ABOUT = """
    uns; umas; cerca de; aproximadamente; mais ou menos; no mínimo; pelo menos; quase; no máximo
    entre; por volta de; talvez; até; uma média de; aprox; aí uns|umas; lá pros
"""

FOR = "para; pra; x; por; presença; presença de"

AT = """
    às; as; à; dia; no dia; lá pelas; por volta das; até; até as; das; depois das; antes das; umas
    pelas; número; até dia; a partir das; rua; aniversário; há; faz; tem; daqui a; os; aos; o; teus
    seus
"""

UNIT = """
    h; hs; horas; hora; hrs; da noite|tarde|manhã; min; minutos; dias; semanas; meses; anos
    de janeiro|fevereiro|março|abril|maio|junho; aninhos; mês; dia; ano; vez; mil
    de julho|agosto|setembro|outubro|novembro|dezembro; km; reais; euros; por cento; vezes
    vegetariano; vegetarianos; e meia; em ponto; noites; pm; am; quadras; carros; carro; litros
    litro; quilos; quilo; pacotes; pacote; garrafas; presentes; bolos; mesas; filas; ônibus; táxis
    dúzias; músicas; fotos; coisas; perguntas; cães; gatos; cachorros; tortas; travessas; votos
    voto; caixas; grades; quilômetros; dedos; pontos; tigelas; sacos; mãos; tempos; andares; quartos
    show; discurso; de febre; de temperatura
"""

CALLED = """
    não; rua; número; numero; quarto; salão; mesa; portão; andar; apartamento; apto; casa; avenida
    av; código; sala; linha; flores; nº; ano; turma; fila; dia; bloco
"""

# Looks like a number or a person and is none.
SKIP = """
    um dia|abraço|abração|beijo|beijão|beijinho
    um pouco|pouquinho|momento|prazer|gosto|minuto|tempo
    uma vez|coisa|hora|pergunta|semana|noite|festa
    uma honra|alegria|pena|delícia|benção|bênção|saudade; um abraço a|ao|do|da
    um beijo a|ao|do|da|na|no; vocês dois; vocês duas; os noivos; a noiva e; um dos; um desses
    meu amor|querido|bem|velho|rei; minha nossa; meu deus; nossa senhora; mãe de deus
    da tua|sua mãe; do teu|seu pai; dele; dela; pra sua mãe; nos dois dias; os dois dias
    um pai pra mim; como um pai; deus te; um bom; um grande; de uma; num; numa
    fica|ficar|ficou|escrevendo|andando sozinho|sozinha; ao casal; pro casal; do casal; lindo casal
    esse casal; abençoe o casal
"""

# The number beside it comes in addition, or does not come after all.
MORE = """
    mais; mais um|uma; um|uma|dois|duas a mais; acrescenta; acrescente; soma; some; adiciona
    adicione; bota mais; põe mais; ponha mais; mais alguém; outro; outra
"""

FEWER = """
    menos; menos um|uma; um|uma a menos; tira; tire; tirem; diminui; diminuir; diminua; desconta
    desconte; descontem; risca; desistiram; furaram; um|uma desistiu; um|uma furou
"""
