import { type ClaimLexicon, numbers } from './lexicon-form.js';

export const french: ClaimLexicon = {
  superlative: [
    /(?<!\p{L})(?:le|la|les|l['’]un des|l['’]une des|ses?|son|sa|leurs?) (?:\p{L}{2,20} )?(?:plus|moins) \p{L}{2,30}/iu,
    /(?<!\p{L})(?:le meilleur|la meilleure|les meilleur\p{L}{1,3}|le pire|la pire|sans pareil\p{L}{0,3}|inégalé\p{L}{0,3}|unique au monde|du monde entier|de (?:tout )?le pays)(?!\p{L})/iu,
    /(?<!\p{L})aucune? autre (?!choix|moyen|solution|raison|façon)(?:\p{L}{1,30} )/iu,
  ],
  cause: [
    /(?<!\p{L})(?:parce qu(?:e|['’])|car(?= )|puisqu(?:e|['’])|à cause d|en raison d|grâce à|faute d|si bien que|de sorte que|c['’]est pourquoi|par conséquent|donc|provoqu\p{L}{1,8}|caus(?:a|e|é|èrent|aient|ait)(?!\p{L})|entraîn\p{L}{1,8}|a conduit|conduisit|condui(?:t|sent) à|en résulta|la raison (?:de|pour)|oblig(?:ea|é)|força|permit|rendit possible)/iu,
  ],
  discourse:
    /(?<!\p{L})(?:ce (?:chapitre|livre|texte)|cet(?:te)? (?:article|partie|section|page)|(?:le|la|les) (?:chapitre|partie|section|page)s? (?:suivante?|précédente?)s?|nous|notre|nos|vous|votre|le lecteur|les lecteurs)(?!\p{L})/iu,
  numbers: numbers(
    'deux:2 trois:3 quatre:4 cinq:5 six:6 sept:7 huit:8 neuf:9 dix:10 onze:11 douze:12 treize:13 quatorze:14 quinze:15 seize:16 dix-sept:17 dix-huit:18 dix-neuf:19 vingt:20 trente:30 quarante:40 cinquante:50 soixante:60 soixante-dix:70 quatre-vingt:80 quatre-vingts:80 cent:100 cents:100 mille:1000 million:1000000 millions:1000000 douzaine:12 vingtaine:20 trentaine:30 centaine:100',
  ),
  counted:
    /^(?: \p{L}{1,30}){0,2} (?:raisons?|façons?|choses?|questions?|parties?|points?|étapes?|sortes?|côtés?|histoires?|chapitres?|réponses?|exemples?|cas|sources?|d['’]entre)(?!\p{L})/iu,
};

export const spanish: ClaimLexicon = {
  superlative: [
    /(?<!\p{L})(?:el|la|los|las|su|sus|uno de los|una de las) (?:\p{L}{2,30} ){0,2}(?:más|menos) \p{L}{2,30}/iu,
    /(?<!\p{L})(?:el mejor|la mejor|los mejores|las mejores|el peor|la peor|sin igual|incomparable|únic[oa]s? (?:en el mundo|del país))(?!\p{L})/iu,
    /(?<!\p{L})ning(?:ún|una) otr[oa] (?!remedio|opción|manera|modo|motivo|razón)\p{L}{1,30}/iu,
  ],
  cause: [
    /(?<!\p{L})(?:porque|ya que|puesto que|debido a|a causa de|gracias a|por culpa de|por eso|por lo tanto|por tanto|en consecuencia|así que|provoc(?:ó|aron|a|an|ado|ada)|caus(?:ó|aron|ado|ada)|originó|llevó a|condujo a|dio lugar a|obligó|permitió|hizo posible|la (?:razón|causa) de)(?!\p{L})/iu,
  ],
  discourse:
    /(?<!\p{L})(?:est[ea] (?:capítulo|libro|texto|artículo|parte|sección|página)|(?:el|la|los|las) (?:próxim[oa]|siguiente|anterior) (?:capítulo|parte|sección|página)|nosotros|nuestr[oa]s?|nos|usted(?:es)?|el lector|los lectores|veremos|vemos)(?!\p{L})/iu,
  numbers: numbers(
    'dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 ocho:8 nueve:9 diez:10 once:11 doce:12 trece:13 catorce:14 quince:15 dieciséis:16 diecisiete:17 dieciocho:18 diecinueve:19 veinte:20 veintiuno:21 veintidós:22 veintitrés:23 veinticuatro:24 veinticinco:25 veintiséis:26 veintisiete:27 veintiocho:28 veintinueve:29 treinta:30 cuarenta:40 cincuenta:50 sesenta:60 setenta:70 ochenta:80 noventa:90 cien:100 ciento:100 doscientos:200 doscientas:200 trescientos:300 trescientas:300 cuatrocientos:400 quinientos:500 quinientas:500 seiscientos:600 setecientos:700 ochocientos:800 novecientos:900 mil:1000 millón:1000000 millones:1000000 docena:12 centenar:100',
  ),
  counted:
    /^(?: \p{L}{1,30}){0,2} (?:razones|maneras|cosas|preguntas|partes|puntos|pasos|tipos|lados|historias|capítulos|respuestas|ejemplos|casos|fuentes|de ell[oa]s)(?!\p{L})/iu,
};
