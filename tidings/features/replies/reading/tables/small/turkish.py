"""Turkish. What is not done is said within the verb, so that forms are listed, not negated."""

from ...table import Table

TURKISH = Table(
    language="tr",
    script="latin",
    small=True,
    yes="""
        evet; tabii; tabi; tabii ki; elbette; kesinlikle; mutlaka; memnuniyetle; seve seve
        onaylıyorum; onaylıyoruz; kabul ediyorum|ediyoruz; olur; katılımımı onaylıyorum
        sabırsızlanıyorum; sabırsızlanıyoruz; kaçırmam; kaçırmayız; orada görüşürüz
    """,
    no="""
        hayır; yok; maalesef hayır; hayır teşekkürler; olmaz; mümkün değil; imkansız; reddediyorum
        gelemem; gelemeyiz; gelemiyorum; gelemiyoruz; gelemeyeceğim; gelemeyeceğiz; gelmiyorum
        gelmiyoruz; gelmeyeceğim; gelmeyeceğiz; gelmem; gelmeyiz; katılamam; katılamayız
        katılamıyorum; katılamıyoruz; katılamayacağım; katılamayacağız; katılmıyorum; katılmıyoruz
        katılmayacağım; katılmayacağız; orada olamayacağım|olamayacağız; müsait değilim|değiliz
        başka zaman; bir dahaki sefere; kesinlikle hayır; uygun değilim|değiliz
    """,
    go="""
        geliyorum; geliyoruz; geleceğim; geleceğiz; gelirim; geliriz; gelicem; gelicez; geliyom
        katılıyorum; katılıyoruz; katılacağım; katılacağız; katılırım; katılırız; oradayım; oradayız
        orada olacağım|olacağız|olurum|oluruz; gelebilirim; gelebiliriz; katılabilirim
        katılabiliriz
    """,
    they_go="geliyor; gelecek; gelecekler; katılacak; gelmiyor; gelmeyecek; gelemiyor; gelemeyecek",
    wish="gelmek isterim|isteriz|istiyorum|istiyoruz; çok isterim|isteriz; isterdim; isterdik",
    not_="değil; değilim; değiliz; hiç",
    sorry="maalesef; ne yazık ki; üzgünüm; üzgünüz; kusura bakma|bakmayın; özür dilerim|dileriz",
    away="""
        yurt dışında|dışındayım|dışındayız; yurtdışında|yurtdışındayım|yurtdışındayız; hastayım
        hastayız; tatilde|tatildeyim|tatildeyiz; çalışıyorum; çalışıyoruz
        şehir dışında|dışındayım|dışındayız; işim|işimiz var; meşgulüm; meşgulüz
    """,
    maybe="""
        belki; bilmiyorum; bilmiyoruz; emin değilim|değiliz; galiba; sanırım; herhalde; muhtemelen
        bakarız; bakalım; umarım; umarız; haber veririm|veririz; düşüneceğim; düşünürüz
        çalışırım; çalışacağım; çalışırız; belli değil; henüz belli; kararsızım; olabilir
    """,
    if_="eğer; gelebilirsem; gelebilirsek; olursa; mümkünse",
    ask="nerede; ne zaman; kim; ne; nasıl; kaç; saat kaçta; neden; hangi; mi; mı; mu; mü; var mı",
    but="ama; fakat; ancak; lakin",
    who="eşim; kocam; karım; kardeşim; annem; babam; oğlum; kızım; ailem; arkadaşım; çocuklar",
    void="sorun değil; problem değil; sorun yok; neden olmasın; merak etme|etmeyin",
    warm="""
        teşekkürler; teşekkür ederim|ederiz; çok teşekkürler; sağol; sağolun; sağ ol|olun; merhaba
        selam; tebrikler; tebrik ederim|ederiz; hayırlı olsun; mutluluklar; tamam; tmm; peki; güzel
        harika; süper; sevgiler; kolay gelsin; iyi günler|akşamlar; davet|davetiniz için; maşallah
        inşallah
    """,
    light="""
        ben; biz; hepimiz; çok; de; da; ve; o; bu; gün; orada; oraya; düğüne; düğün; partiye; için
        size; sana; bizi; beni; ki; artık; tüm; ailece; birlikte; beraber; için; o gün
    """,
    numbers="bir = 1; iki = 2; üç = 3; dört = 4; beş = 5; altı = 6; yedi = 7; sekiz = 8; on = 10",
    party="tek başıma = 1; sadece ben = 1; ikimiz = 2; üçümüz = 3; dördümüz = 4",
    we_are="biz; toplam; toplamda",
    in_all="toplam; toplamda; geleceğiz; geliyoruz; olacağız",
    me="ben",
    one="eşim; kocam; karım; arkadaşım; oğlum; kızım",
    people="kişi; kişiyiz; kişilik; yetişkin",
    kids="çocuk; arkadaş",
    and_="ve; ile",
    or_="veya; ya da",
    instead="hayır; yok; pardon; yani; şimdi; artık; daha doğrusu",
    at="saat",
    unit="saat; dakika; yaş; gün; da; de",
    alone_yes="evt; ewet; evet evet; aynen; gelirim; varım; varız; onayla",
    alone_no="hyr; hayr; yoo; hayır hayır; cık; reddet; gelmem",
)

TABLES = (TURKISH,)
