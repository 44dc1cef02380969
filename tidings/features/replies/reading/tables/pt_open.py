"""Portuguese words that leave it open: doubt, questions, other business, and a no that is none."""

MAYBE = """
    talvez; pode ser; quem sabe; não|nao|n sei|sabemos ainda?; ainda não sei|sabemos; sei lá
    não faço ideia; não|nao tenho|temos certeza; sem certeza; não é certo; incerto
    vou|vamos|irei tentar; tentar; tentarei; tentaremos; tento
    farei|faremos|faço o possível|meu|nosso melhor?; tomara; espero; esperamos; espero que sim|não
    provavelmente; possivelmente; é provável; é capaz; acho; achamos; acho que sim|não; não acho
    acredito; creio; penso que; suponho; imagino; depende; dependendo
    te|vos|lhe|lhes aviso|avisamos|confirmo|falo|digo|respondo|conto; aviso; avisarei; avisaremos
    aviso depois|amanhã; confirmo depois|amanhã|mais|até|em
    depois te|eu? falo|confirmo|aviso|respondo; deixa|deixe eu|me ver
    preciso|tenho|vou ver|consultar|falar|perguntar|checar|confirmar; vou pensar; vou ver
    vamos ver|pensar|tentar; veremos; a ver; a gente vê; 50/50; cinquenta; ainda não; em dúvida
    dúvida; duvido; difícil; mais pra frente; mais tarde; depois; sim e|ou não; respondo depois
    não prometo; por enquanto; qualquer coisa; meio a meio; capaz; em princípio
    quase certo|certeza|certa; tenho quase; em princípio sim|vou; fazer o possível
    faço|vamos|vou fazer de tudo; fazer de tudo; não garanto; num garanto; n garanto; inclino me
    pra ver; tô|to|tou vendo; vou lhe perguntar; garanto nada; preciso|precisamos arranjar|ver
    falta saber|só; ainda vou ver; vou perguntar; perguntar; na véspera; de repente; te confirmo até
    não contes|conte já|ainda comigo; sou|é capaz; falo com; falo depois; respondo; a resposta
    dou a resposta
"""

IF = """
    se eu|der|puder|pudermos|conseguir|conseguirmos|a|o|não|tudo
    se for|tiver|tivermos|os|as|arrumar|achar|ela|ele|estiver; caso; desde que; contanto; a menos
    a não ser; se
"""

ASK = """
    tem estacionamento|comida|que|como|lugar|opção; onde; quando é|vai|começa|será; que horas
    a que horas; qual; quais; quem; quanto; quanta; quantos; quantas; como é|chego|faço|está
    por que; porque vocês; posso levar|convidar|chamar|trazer|saber; podemos levar; pode levar; você
    vocês; vc vai; vcs vão; vai ter|haver|ser; vão; é em; é no; ainda está; ainda vai; o que
    precisa; me manda|passa|envia|fala|diz; cadê; será que; até quando; dá pra levar; pode me
"""

OTHER = """
    link; número errado; engano; foi engano; me liga|ligue|liguem; liga; ligar; recebi; recebido
    recebemos; chegou; já respondi|confirmei|falei|avisei; abrir; abre; funciona; endereço
    presente de; mudamos para|pra; mensagem a|do; código; senha; respondo; convite não; no trabalho
    site; página; vi a; pix; presente é; sou eu; não sou; pode falar; eu sei; sei onde; entendi a
    não é meu; faz mal; quem é|fala|está; ler|leio|ver|vejo com calma|atenção; vi o convite
    é esse|este|essa mesmo?; esse|este é o; já tomei|entreguei|dou|mando|mostrou|vi; lembro
    lembro de; te mando|dou|passo|levo; vai ser linda|lindo|uma|show|top|demais|bom
    vai estar linda|maravilhosa|lindo; é um belo|lindo; ao médico; no mercado; pro banheiro
    ao banheiro; dormir; meu novo? número; era eu; foi eu; fui eu; acabar o jantar; votos
    felicitações; passo|passar o recado; abrir a porta; ler o convite; conheço; reclamar
    pôr os óculos; já te respondo
"""

VOID = """
    com? certeza que? vai ser|estar; com? certeza que? será|estará
    sem problema|problemas|crise|stress|estresse; não tem|há problema|problemas
    não se|te preocupe|preocupa|preocupem; tranquilo; por que|quê não; porque não; pela|a demora
    não ter respondido; não respondi|vi|tinha respondido|visto?
    desculpa|desculpe|desculpem a|pela|por|não|o; não tinha|tínhamos certeza; no começo|início
    a princípio; não acredito; nem acredito; se deus quiser; deus queira
    um pouco atrasados|atrasada|atrasado|tarde?
    chegaremos|chego|chegamos atrasados|atrasado|atrasada|um; sair cedo
    não como|comemos|bebo|bebemos; sem crianças|as; se possível; se der tempo
    se precisar|precisarem; se não for; não muito tarde; só vi agora; não é problema; pode deixar
    com a graça de deus; graças a deus; sem filhos; não esquenta; não faz mal
    não vou|posso|quero|podia|gosto ir? de? sozinho|sozinha|só|sozinhos não?
    sozinho|sozinha eu? não vou|posso ir? não?; a? gente? não vai sozinho|sozinha
    não sei ir só|sozinho|sozinha; deixar sozinho|sozinha em? casa?
    não vou|vamos me|nos? atrasar|demorar|esquecer|embora; não demoro; não esqueço
    não me atraso|atrasarei|esqueço; não precisa|precisas|precisam insistir|perguntar|se? preocupar
    não te|se|vos preocupes|preocupe|preocupem; nem que
    não consigo|posso|vou|vamos|podemos levar|ajudar|ficar; não levo|levamos|levarei|levaremos
    não cabe|cabem|cabemos; não gosto de ir; sem mim não tem|há festa; não há cá? desculpas
    não tem|há maka|maca|erro|desculpa; não cancelem|cancelo|desmarco; não vou|iremos de carro
    só não me|n; não me peças|peçam; não repara|repare|reparem; mesmo que; mesmo não; não é pouca
    não precisa|precisas insistir|perguntar; não proibiu; não trabalho; não demoro a chegar não?
"""
