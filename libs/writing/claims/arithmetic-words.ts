/** Words of a sentence about a change, a difference or a rest. */
export const CHANGE =
  /(?<!\p{L})(?:grew|rose|fell|dropped|more|less|fewer|increas\p{L}{1,3}|decreas\p{L}{1,3}|up|down|higher|lower|shorter|longer|faster|slower|cheaper|dearer|rest|remain\p{L}{0,3}|other|others|plus|growth|sav\p{L}{1,3}|between|difference|not|stieg|stiegen|wuchs|sank|fiel|mehr|weniger|Plus|Minus|übrig\p{L}{0,2}|Rest|ander\p{L}{1,2}|gestiegen|gesunken|Zunahme|Rückgang|teurer|billiger|schneller|länger|kürzer|Unterschied|zwischen|nicht|wzros\p{L}{1,4}|spad\p{L}{1,4}|więcej|mniej|skróci\p{L}{1,4}|powiększ\p{L}{1,5}|zmniejsz\p{L}{1,5}|wydłuż\p{L}{1,4}|przyby\p{L}{1,3}|uby\p{L}{1,3}|pozosta\p{L}{1,4}|reszt\p{L}{1,2}|poza|różni\p{L}{1,4}|augment\p{L}{1,4}|progress\p{L}{1,4}|baiss\p{L}{1,4}|diminu\p{L}{1,4}|recul\p{L}{1,4}|gagn\p{L}{1,4}|perd\p{L}{1,4}|moins|hausse|reste\p{L}{0,3}|autres?|aument\p{L}{1,4}|creci\p{L}{1,4}|baj\p{L}{1,4}|redu\p{L}{1,4}|subi\p{L}{1,4}|más|menos|cay\p{L}{1,4}|resto|otr[oa]s?|qued\p{L}{1,4}|faltab?an?|perdi\p{L}{1,4}|vací\p{L}{1,2})(?!\p{L})/iu;

/** Words of a sentence about an average or a rate. */
export const AVERAGE =
  /(?<!\p{L})(?:average|mean|per|each|every|for|im Schnitt|Durchschnitt|durchschnittlich|pro|je|für|jede[rsnm]?|średnio|przeciętnie|na jedn\p{L}{1,4}|każd\p{L}{1,4}|en moyenne|par|pour|chaque|media|promedio|por|cada)(?!\p{L})/iu;
