/** Radicals of Unicode's block CJK Radicals Supplement, and the characters that look and sort like them (CLDR's root collation). */
const RADICALS =
  '⺀⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳';
const CHARACTERS =
  '丶厂乛乚乙亻冂几刀刂卜卩小小尢尣尢尣巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王疋目示礻竹糹纟罓罒罓罓罒羊羊羋耂肀聿肉臼艹艹艹虎衤覀西见角角讠贝足车辶辶辶邑钅長镸长门阜阝雨青韦页风飞食飠飠饣首马骨鬼鱼鸟卤麦黄黾齊齐齒齿龍龙龜龜龟';
const RADICAL = /[\u2e80-\u2ef3\u2f00-\u2fd5]/g;

/**
 * Replaces radicals of Chinese characters by the characters themselves: a PDF says which shape a letter has, and some
 * name the radical of that shape, so that nobody finds the word.
 */
export const withoutRadicals = (text: string): string =>
  text.replace(RADICAL, (radical) => CHARACTERS[RADICALS.indexOf(radical)] ?? radical.normalize('NFKC'));
