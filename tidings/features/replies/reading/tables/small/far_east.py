"""Korean, Vietnamese, Indonesian and Thai."""

from ...table import Table

KOREAN = Table(
    language="ko",
    script="hangul",
    small=True,
    yes="""
        네; 예; 넵; 넹; 네네; 응; 그럼요; 물론; 물론이죠; 물론입니다; 당연하죠; 당연히
        참석; 꼭; 확인합니다; ㅇㅇ; ㅇㅋ 갈게; 기꺼이
    """,
    no="""
        아니요; 아니오; 아뇨; 아니; 아냐; 아닙니다; 싫어요; 불참; 불참합니다; 불참할게요; 불참이요
        불참입니다; 못; 못가; 못가요; 못갑니다; 못갈
        못 가|가요|갑니다|갈|가겠습니다|갈게요|와요|옵니다; 못갈게요; 안가; 안가요; 안갑니다
        안 가|가요|갑니다|갈|갈게요|갈래요; 참석 못|안 해요|합니다|할|해|하겠습니다; 못해요
        못합니다; 안돼요; 안됩니다; 안돼; 안 돼요|됩니다|돼; 어려워요; 어렵습니다; 힘들어요
        힘들 것|거 같아요|같습니다; 힘들겠습니다; 다음에; 다음 기회에
        참석하지 못합니다|못해요|않습니다|않아요|못할
        참석이 어렵습니다|어려워요|힘들어요|불가합니다; 불가능합니다; 불가능해요
        갈 수 없어요|없습니다|없을; 참석할 수 없어요|없습니다|없을; 거절합니다; ㄴㄴ; 노노
    """,
    go="""
        갈게요; 갈께요; 갈게; 갈께; 가요; 갑니다; 가겠습니다; 갈 거예요|것입니다|겁니다; 갈거예요
        갈겁니다; 참석합니다; 참석해요; 참석할게요; 참석하겠습니다
        참석할 거예요|예정입니다|수 있어요|있습니다
        참석 가능합니다|가능해요|가능|합니다|할게요|하겠습니다; 갈 수 있어요|있습니다|있어; 참석이요
        참석입니다; 참여합니다; 참여할게요
    """,
    wish="가고 싶어요|싶습니다|싶어; 참석하고 싶어요|싶습니다",
    not_="못; 안; 않습니다; 않아요; 못해; 못할; 없어요; 없습니다; 없을; 않을",
    sorry="""
        죄송해요; 죄송합니다; 죄송하지만; 미안하지만; 미안; 미안해요; 미안합니다; 아쉽게도; 아쉽지만
        안타깝게도; 유감
    """,
    away="""
        출장; 해외; 해외에 있어요; 바빠요; 바쁩니다; 바빠서; 일이 있어서|있어요|있습니다
        약속이 있어요|있어서|있습니다; 아파요; 아파서
    """,
    maybe="""
        아마; 아마도; 글쎄요; 글쎄; 모르겠어요; 모르겠습니다; 몰라요; 잘 모르겠어요|모르겠습니다
        생각해 볼게요; 생각해볼게요; 확실하지; 미정; 미정입니다; 봐서; 보고; 노력; 노력할게요
        나중에; 고민; 것 같아요|같습니다; 거 같아요; 까요; 인가요; 나요; 아직
    """,
    if_="만약; 만일; 가능하면; 되면; 시간이 되면",
    ask="어디; 어디서; 어디예요; 언제; 몇; 몇시; 누구; 누구세요; 뭐; 무엇; 어떻게; 왜; 주차; 얼마",
    but="하지만; 그런데; 근데; 그렇지만; 지만",
    who="남편; 남편이; 남편은; 아내; 아내가; 아내는; 아이; 친구; 친구가; 부모님; 부모님이",
    void="""
        괜찮아요; 괜찮습니다; 문제없어요; 문제 없어요|없습니다; 걱정 마세요|하지 마세요?
        아니에요 괜찮아요
    """,
    warm="""
        감사합니다; 감사해요; 고마워요; 고맙습니다; 고마워; 축하해요; 축하합니다; 축하드려요
        축하드립니다; 축하해; 안녕하세요; 안녕; 초대; 초대해; 주셔서; 오케이; 그래; 그래요; 좋아요
        좋습니다; 좋네요; 알겠습니다; 알겠어요
    """,
    light="""
        저; 저는; 저희; 저희는; 나; 나는; 우리; 우리는; 모두; 다; 꼭; 정말; 너무; 그날; 그; 같이
        함께; 참; 결혼식에; 결혼식; 도
    """,
    numbers="한 = 1; 두 = 2; 둘 = 2; 세 = 3; 셋 = 3; 네명 = 4; 두명 = 2; 세명 = 3; 다섯 = 5",
    party="혼자 = 1; 저만 = 1; 둘이 = 2; 둘이서 = 2; 셋이서 = 3; 넷이서 = 4",
    we_are="총; 모두; 저희; 우리",
    in_all="갈게요; 갑니다; 가요; 참석합니다; 참석할게요; 참석해요",
    people="명; 명이; 명이요; 명입니다; 분; 인; 사람; 명이서",
    unit="시; 시에; 분에; 일; 월; 년; 살; 시간",
    alone_yes="갑니다; 웅; 넵넵; 가능; 가능해요; 가능합니다; 할게요; 참석 가능; 예스",
    alone_no="불가; 안 가; 못 가; 거절; 아니아니; 노; 못감; 안감",
    not_follows=True,
)

INDONESIAN = Table(
    language="id",
    script="latin",
    small=True,
    yes="""
        ya; iya; yaa; tentu; tentu saja; pasti; insya allah hadir; siap hadir; bersedia
        dengan senang hati
    """,
    no="""
        tidak; nggak; enggak; gak; tidak bisa; gak bisa; nggak bisa; tak boleh; lain kali
        maaf tidak
    """,
    cannot="tidak|tak|gak|nggak|ga bisa|dapat|boleh",
    go="hadir; akan hadir|datang; saya|kami datang|hadir|ikut; datang; bisa hadir|datang",
    can="bisa; boleh; akan; dapat",
    to_go="datang; hadir; ikut",
    not_="tidak; tak; gak; nggak; enggak; ga; bukan; belum",
    sorry="maaf; mohon maaf; sayangnya",
    maybe="""
        mungkin; belum tahu|tau|pasti|yakin; tidak|gak|ga yakin; tidak|gak tahu|tau
        lihat nanti; diusahakan; insya allah
        kayaknya; semoga
    """,
    if_="kalau; jika; kalo",
    ask="dimana; di mana; kapan; jam berapa; siapa; apa; apakah; berapa; bagaimana",
    but="tapi; tetapi; namun",
    warm="""
        terima kasih; makasih; selamat; halo; hai; baik; oke; undangannya; atas
        selamat|makasih|maaf|baik ya
    """,
    light="""
        saya; kami; kita; aku; ini; itu; di; ke; dan; juga; sekali; banget; semua; untuk; dengan; ya
        akan
    """,
    people="orang; dewasa",
    kids="anak",
    we_are="kami; kami akan?; total",
    alone_yes="iya iya; yoi; hadir; akan datang; ya hadir",
    alone_no="tidak; gak; nggak; enggak; tidak hadir; tidak datang; engga; gak bisa",
)

VIETNAMESE = Table(
    language="vi",
    script="latin",
    small=True,
    unread=True,
    yes="vâng; dạ; dạ có; có ạ; chắc chắn; tất nhiên; đồng ý; nhất định; xác nhận; rất sẵn lòng",
    no="""
        không; khong; dạ không; không ạ; không được; không thể; rất tiếc không; hẹn lần|dịp sau|khác
    """,
    go="sẽ đến|tham dự|đi|tới|tham gia; tôi|mình|em|anh|chúng đến|đi|tới|tham dự",
    to_go="đến; tham dự; tham gia; tới",
    not_="không; khong; chưa; chẳng",
    sorry="xin lỗi; rất tiếc; tiếc quá",
    maybe="có thể; chưa biết; không biết; chưa chắc; không chắc; để xem; có lẽ; sẽ cố",
    if_="nếu",
    ask="ở đâu; mấy giờ; khi nào; ai; có phải; bao nhiêu",
    but="nhưng",
    warm="cảm ơn; cám ơn; chúc mừng; xin chào; chào",
    light="tôi; mình; em; anh; chị; chúng; ạ; nhé; rất; cũng; sẽ; được; và; đám cưới; cả nhà",
    alone_yes="vâng ạ; có đi; đi nhé; vâng",
    alone_no="không đi; không đến; không; khong; không đến được; không đi được; không tham dự",
)

THAI = Table(
    language="th",
    script="thai",
    small=True,
    unread=True,
    yes="ใช่; ไป; ไปค่ะ; ไปครับ; ไปแน่นอน; แน่นอน; ยินดี; ได้ค่ะ; ได้ครับ",
    no="""
        ไม่; ไม่ไป; ไม่ได้; ไปไม่ได้; ไม่ว่าง; ไม่สะดวก; ไม่ค่ะ; ไม่ครับ; ไปไม่ได้ค่ะ; ไปไม่ได้ครับ
    """,
    maybe="อาจจะ; ไม่แน่ใจ; ยังไม่รู้; ไม่รู้",
    warm="ขอบคุณ; ขอบคุณค่ะ; ขอบคุณครับ; ยินดีด้วย; สวัสดี; โอเค",
    alone_yes="ใช่ค่ะ; ใช่ครับ; ไปได้; มา; ตกลง; เข้าร่วม",
    alone_no="ไม่ไปค่ะ; ไม่ไปครับ; ไม่มา; ไม่เข้าร่วม; ไม่ว่างค่ะ; ไม่ว่างครับ",
)

TABLES = (KOREAN, INDONESIAN, VIETNAMESE, THAI)
