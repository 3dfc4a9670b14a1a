"""What the samples say. All of it is invented."""

PAPER_ABSTRACT = """Rivers remember the winters before them. We followed the temperature of forty small streams for
six years and ask how much of a summer's warmth can be told from the snow of the winter that preceded it. A plain
linear model with two terms explains most of what we saw; where it fails, it fails in streams that are fed by
lakes."""

PAPER_LEFT = """<h2>1 Introduction</h2> <p>The temperature of running water decides which fish can live in it, how
much oxygen it holds and how fast leaves decay on its bed. It follows the air with a delay of hours in shallow brooks
and of weeks where groundwater dominates. Melting snow lengthens that delay further, since a thick cover keeps feeding
cold water long after the last frost.</p> <p>Earlier work looked at single catchments or at single summers. Here we
compare forty streams between 310 and 1,840 metres above the sea, all of them read by the same kind of logger, every
ten minutes, from 2014 to 2019.</p> <h2>2 Methods</h2> <p>Each logger was placed in flowing water, shaded by a white
pipe, and checked twice a year against a calibrated thermometer. Readings that jumped by more than two degrees within
ten minutes were set aside; they make up 0.3 % of the record. Snow water equivalent was taken from the nearest of
eleven stations.</p>"""

PAPER_RIGHT = """<h2>3 Results</h2> <p>Warm summers followed winters with little snow in every single year. Between
streams the effect differs widely: it is strongest in the nine catchments that lie above 1,200 metres and vanishes in
the six that drain a lake.</p> <h3>3.1 Streams below a lake</h3> <p>A lake mixes the water of many weeks. Its outlet
is warm in autumn and cold in spring, whatever the winter was like, and our model misses it by up to 3.1 degrees.</p>
<h2>4 Conclusion</h2> <ul><li>Snow explains 61 % of the variance between summers.</li><li>Height above the sea adds
another 14 %.</li> <li>Streams below lakes need a model of their own.</li></ul>"""

PAPER_SYMBOLS = "where <i>S</i> is the snow water equivalent on 1 April and <i>h</i> the height of the gauge."

CHINESE = """<h1 style="font-size:20pt">城市雨水花园的设计与维护</h1>
<p>雨水花园是一种浅凹的绿地，用来收集屋顶和道路的雨水，让雨水慢慢渗入地下。与传统的排水管道相比，它能够减少洪峰流量，
改善水质，并且为昆虫和鸟类提供栖息地。</p><h2>一、选址</h2><p>花园应当离建筑物至少3米，地面坡度不超过12%。
土壤的渗透速度最好在每小时13毫米以上；如果低于这个数值，就需要更换表层土壤。</p><h2>二、植物</h2>
<p>应选择既耐旱又耐涝的本地植物，例如鸢尾、千屈菜和芦苇。种植密度一般为每平方米6至9株。第一年需要经常浇水和除草，
第二年以后，每年春天修剪一次就可以了。</p>"""

LETTER = """<p>Harbour Office<br>12 Quay Street<br>Port Ellery</p><p><br>4 March 1987</p><p><br>Dear Mr Lindqvist,</p>
<p>Thank you for your letter of 19 February about the berth on the north mole. The committee met on Monday and agreed
to let it to you for a further three years, from 1 April, at the rent you proposed.</p><p>Two conditions were added.
The crane at the head of the mole may not be used between ten at night and six in the morning, and any oil spilled on
the planks is to be reported to this office on the same day.</p><p>Please sign the enclosed copy and return it before
the end of the month. The key to the water tap can be collected from the watchman, who has been told to expect
you.</p><p><br>Yours sincerely,</p> <p><br>M. Okafor<br>Harbour Master</p>"""

REPORT = """<h2 style="font-size:15pt">Catch by port and season</h2><p>Landings fell for the second year. The decline
is steepest in the south, where two of the five boats were laid up for repairs until June. Weights are in tonnes,
gutted.</p> <table><tr><th>Port</th><th>Spring</th><th>Summer</th><th>Autumn</th></tr>
<tr><td>Ellery</td><td>41.2</td><td>58.7</td> <td>36.0</td></tr> <tr><td>Saint
Ann</td><td>17.9</td><td>22.4</td><td>19.3</td></tr> <tr><td>Korvik</td><td>63.5</td><td>71.1</td> <td>48.8</td></tr>
<tr><td>Low Head</td><td>8.4</td><td>12.6</td><td>9.9</td></tr></table><p><br>Herring made up more than half of the
total. Cod was landed at Korvik only, and in autumn not at all.</p>"""


FORM_TABLE = """<table><tr><th>Item</th><th>Quantity</th><th>Price</th></tr> <tr><td>Stand,
steel</td><td>4</td><td>36.00</td></tr> <tr><td>Anchors</td><td>16</td><td>1.20</td></tr> <tr><td
colspan='2'>Total</td><td>163.20</td></tr></table>"""


ARABIC = """<h1>مكتبة المرفأ العامة</h1>
<p>تفتح المكتبة أبوابها من الأحد إلى الخميس، من الساعة التاسعة صباحًا حتى السابعة مساءً. الدخول مجاني، ولا يحتاج الزائر
إلى بطاقة إلا إذا أراد أن يستعير كتابًا. يمكن طلب البطاقة عند المدخل، وهي صالحة لمدة سنة واحدة.</p>
<h2>الاستعارة</h2>
<p>يمكن استعارة خمسة كتب في المرة الواحدة لمدة ثلاثة أسابيع، ويجوز تمديد المدة مرتين ما لم يطلب الكتاب قارئ آخر.
من يتأخر في إعادة كتاب يدفع 2 درهم عن كل يوم.</p>
<h2>قاعة الأطفال</h2>
<ul><li>قراءة قصة كل يوم ثلاثاء في الساعة 16:30</li><li>ورشة رسم في أول سبت من كل شهر</li>
<li>ركن هادئ للواجبات المدرسية</li></ul>
<p>بلغ عدد الكتب في القاعة 1840 كتابًا في عام 2023، نصفها تقريبًا هدية من سكان المدينة.</p>"""

INVOICE_FROM = """<p><b style="font-size:15pt">Brekke &amp; Daughters</b><br>Boat yard and chandlery<br>3 Slipway Road,
Port Ellery</p>"""
INVOICE_FACTS = (("Invoice number", "2024-0317"), ("Date", "12 March 2024"), ("Due", "11 April 2024"))
INVOICE_TO = "<p><b>Bill to</b><br>Korvik Rowing Club<br>Attn. Aino Heikkinen<br>8 Linden Row<br>Korvik</p>"
INVOICE_HEADER = ("Description", "Quantity", "Unit price", "Amount")
INVOICE_ITEMS = (
    ("Oars, spruce, 2.9 m", "4", "118.00", "472.00"),
    ("Rowlocks, bronze, pair", "2", "36.50", "73.00"),
    ("Varnish, 750 ml", "3", "21.00", "63.00"),
    ("Repair of the starboard gunwale", "6.5 h", "48.00", "312.00"),
    ("Transport to Korvik and back", "1", "60.00", "60.00"),
)
INVOICE_SUMS = (("Subtotal", "980.00"), ("VAT 20 %", "196.00"), ("Total due", "EUR 1,176.00"))
INVOICE_TERMS = """<p>Please pay within 30 days to Saltmarket Bank, account 0042 1187 33, and give the invoice number.
Goods remain ours until they are paid for.</p>"""
INVOICE_FOOT = "Brekke & Daughters   VAT no. 555 014 220   office@brekke.example"

REGISTER_TITLE = "Register of boats, Port Ellery"
REGISTER_ABOUT = """<p>Boats with a berth in the inner harbour on 1 May 2023. Lengths are over all, without the
bowsprit. A dash stands for a year that is not known.</p>"""
REGISTER_HEADER = ("Berth", "Name", "Kind", "Built", "Length, m", "Owner")
REGISTER_NAMES = """
Petrel Kittiwake Godwit Sandpiper Avocet Plover Lapwing Curlew Dunlin Whimbrel Turnstone Redshank Knot Fulmar
Gannet Shearwater Tern Skua Razorbill Puffin Guillemot Eider Merganser Teal Wigeon Pintail Garganey Shoveler
Pochard Scoter Smew Goldeneye Grebe Bittern Heron Egret Crake Moorhen Coot Dipper Wagtail Pipit Wheatear
Whinchat
"""
REGISTER_KINDS = ("Sloop", "Cutter", "Skiff", "Ketch", "Trawler")
REGISTER_OWNERS = ("I. Valder", "T. Brekke", "A. Heikkinen", "M. Okafor", "S. Lindqvist", "Harbour Office", "R. Ansah")
REGISTER_END = """<p>Berths 7 and 23 are kept free for visitors. Changes are to be reported to the Harbour Office
within a week.</p>"""
