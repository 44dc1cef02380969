"""Portuguese words of who stays away: refusals, regret, and reasons."""

NO = """
    me tira|tirem|tire|risca da lista
    não; nao; naum; n; nãoo; nop; não obrigado|obrigada; infelizmente|infelismente não|nao
    fica|deixa pra|para a? próxima; na|pra|para próxima; próxima vez; em? outra ocasião|oportunidade
    fica pra outra; dessa|desta|nessa|nesta vez não; impossível; é impossível
    não será|é|foi possível; não vai ser possível
    tenho|temos|vou|vamos ter? que|de? cancelar|recusar|declinar
    preciso|precisamos|terei|teremos ter? que|de? cancelar|recusar|declinar; cancelo; cancelamos
    cancelar; cancela; cancelem; recuso; recusar; recusamos; declino; declinamos; vou|vamos passar
    passo; tô|to|estou|estamos|tou fora; não conte|contem|contes comigo|conosco|com
    não me|nos espere|esperem; não tenho|temos interesse|como|condições; não me interessa
    não quero|queremos; nenhum de nós; nem pensar; sem chance; não tem como|jeito; não dá|da|deu
    não rola; sem condições; sem mim|nós; desisto; dispenso; negativo; pulo essa
    claro|óbvio|lógico que? não; com certeza não; não vai dar|rolar; não vou|vamos dar
    fico|ficamos|ficarei de fora; a gente não vai; dessa|desta|nessa|nesta vez não vai dar
    não vou não; teria|teríamos|tinha|tínhamos adorado|amado|gostado|ido; quem me|nos dera
    bem que? queria|queríamos|gostava|gostaria; bem queria eu
    acompanhar|acompanho|acompanhamos|acompanharei de longe|pela|pelos|pelas|pelo
    vou acompanhar longe|televisão|internet|stories|fotografias
    estarei|estaremos|estou lá|aí? vocês|vcs? em? pensamento|espírito
    estarei|estaremos|estou lá|aí? vocês|vcs? em? oração|orações|coração
    estarei|estaremos|estou contigo|convosco|com? vocês|vcs? em? pensamento|espírito
    estarei|estaremos|estou contigo|convosco|com? vocês|vcs? em? oração|orações|coração
    estamos|estar|to|tô lá|aí? vocês|vcs? em? pensamento|espírito|oração|orações|coração
    estamos|estar|to|tô contigo|convosco|com? vocês|vcs? em? pensamento|espírito
    estamos|estar|to|tô contigo|convosco|com? vocês|vcs? em? oração|orações|coração
    em espírito|pensamento|oração estarei|estaremos|estou; de longe eu? vou|vamos; aqui de longe
    fico|ficamos|ficaremos|ficarei em casa; vou|vamos é? ficar em casa; ter ficado em casa
    ficar trancado; risca|risquem|tira|tirem|apaga o? meu|nosso nome; ausência confirmada
    perdoa|perdoem|desculpa|desculpem|desculpe a? minha|nossa ausência
    deixa|deixamos|fica pra|para outra|próxima; mais? eu não posso comparecer|cumparecer
    sou obrigado|obrigada a recusar; não poderemos|poderei aceitar; só na vontade
    fico só na vontade; ninguém|nenhum da nossa|minha? parte? vai poder? ir; fica para a próxima
    eu vou|vamos pular; vou ter que pular
    cancela|cancele|desmarca|desmarque minha|meu|nossa|nosso|a|o
"""

CANNOT = """
    não posso|podemos|poderei|poderemos|poso|consigo|conseguimos|conseguirei|conseguiremos
    não vou|vamos poder|conseguir
"""

MISS = """
    eu? vou|vamos|vai perder|faltar; a gente vai perder|faltar; perder; perco; perdemos; faltar
    falto; faltamos; faltarei; faltaremos; perderei; perderemos; deixar de ir
"""

SORRY = """
    desculpa; desculpe; desculpem; desculpas; infelizmente; infelismente; infelizmnte; lamento
    lamentamos; sinto|sentimos muito; perdão; perdoe; pena; que pena; uma pena; sorry; triste
    tristemente; poxa; puxa; foi mal; mil desculpas; me perdoem
"""

AWAY = """
    viajando; de viagem|férias|plantão|cama|atestado; em viagem
    estarei|estaremos|vou|vamos|estou estar? fora do|da|de; fora do país|estado; fora da cidade
    no exterior; outro|outra casamento|compromisso|evento|festa|aniversário
    já tenho|temos compromisso|plano|planos|outro|um|uma; vou|vamos|tenho|preciso que? trabalhar
    trabalho; trabalho nesse|neste|no; trabalhando; doente; doentes; internado; internada; gripado
    gripada; prova; provas; plantão; na cidade; ocupado; ocupada; ocupados; compromisso
    compromissos; no hospital; tenho|temos compromisso|casamento|prova|plantão|viagem|voo
    em repouso; repouso; de cama; cirurgia; operado; operada; de baixa; covid; dengue; febre
    quarentena; de férias; de luto; luto; óbito; funeral; velório do meu; no mesmo dia
    nesse|neste|mesmo dia é|faço|tenho|temos; casamento da|do minha|meu; batizado da|do minha|meu
    bodas dos|de meus; dar à luz; mudança; mudamos pro|para; proibiu; me|nos proibiu; amamentando
    de resguardo; julgamento; tribunal; de castigo; de serviço; fora nesse|nessa; no avião; últimas
    partida; travou; trancado; tá longe; na praia com
"""
