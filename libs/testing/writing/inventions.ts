import type { HonestLanguage } from './honest.js';

export const inventionKinds = ['figure', 'date', 'name', 'quotation', 'cause', 'superlative'] as const;
type InventionKind = (typeof inventionKinds)[number];

/** A sentence that no source states. */
export interface Invention {
  kind: InventionKind;
  language: HonestLanguage;
  text: string;
  isCited: boolean;
}

/** Words of a slot: `{n}` is a figure, `{y}` a year, `{d}` a day, `{p}` a person, `{o}` a town and `{m}` a month. */
const SLOTS: Record<HonestLanguage, Record<string, string[]>> = {
  en: {
    p: [
      'Margaret Coll',
      'Queen Beatrix',
      'Edwin Sarratt',
      'Dr. Isabel Quaine',
      'William Dorr',
      'Bishop Ambrose',
    ],
    o: ['Rotterdam', 'Plymouth', 'Bergen', 'New Haven', 'Gdańsk', 'Trieste'],
    m: ['January', 'April', 'July', 'September', 'November', 'December'],
  },
  de: {
    p: [
      'Margarete Kohl',
      'Königin Beatrix',
      'Edwin Sarratt',
      'Dr. Isabel Quaine',
      'Wilhelm Dorr',
      'Bischof Ambros',
    ],
    o: ['Rotterdam', 'Emden', 'Bergen', 'Danzig', 'Triest', 'Lübeck'],
    m: ['Januar', 'April', 'Juli', 'September', 'November', 'Dezember'],
  },
  pl: {
    p: [
      'Małgorzata Kolska',
      'królowa Beatrix',
      'Edwin Sarratt',
      'dr Izabela Kwiecień',
      'Wilhelm Dorr',
      'biskup Ambroży',
    ],
    o: ['Rotterdamie', 'Szczecinie', 'Bergen', 'Gdańsku', 'Trieście', 'Kołobrzegu'],
    m: ['stycznia', 'kwietnia', 'lipca', 'września', 'listopada', 'grudnia'],
  },
};

const TEMPLATES: Record<HonestLanguage, Record<InventionKind, string[]>> = {
  en: {
    figure: [
      'The tower was {n} metres high.',
      'More than {n} visitors climbed the stair every summer.',
      'The repair swallowed £{n} in a single year.',
      'It took {w} men to lower the bell.',
      'Roughly {n} per cent of the crew fell ill.',
      'The cistern could hold {n} gallons of rain.',
    ],
    date: [
      'The station was opened on {d} {m} {y}.',
      'A storm destroyed the landing in {y}.',
      'The last crew left on {m} {d}, {y}.',
      'By {m} {y} the work was complete.',
      'The ban was lifted in {y} and renewed soon afterwards.',
      'The new bell arrived in {m}.',
    ],
    name: [
      'The plans were drawn by {p}.',
      'It was {p} who paid for the boat.',
      'The stone was shipped from {o}.',
      'A keeper from {o} taught the others to weave nets.',
      'The garden was laid out for {p} and her guests.',
      'Years later {p} came back to see the place.',
    ],
    quotation: [
      'The engineer called it "the loneliest house in the kingdom".',
      '"We never knew what day it was," one of the keepers told a reporter.',
      'A letter speaks of "a smell that no soap could drive out".',
      'The board replied that "economy must come before comfort".',
      'Visitors were warned: “Do not touch the glass, it bites.”',
      'Somebody had carved “God help us all” above the bunk.',
    ],
    cause: [
      'The mortar failed because the sand had been taken from the beach.',
      'The dispute led to a new contract for the crew.',
      'Trade on the coast declined as a result of the fog.',
      'The keepers fell ill due to bad water.',
      'The fire was caused by a careless smoker.',
      'Thanks to the telegraph the supply boat came on time.',
    ],
    superlative: [
      'It was the tallest building on the coast.',
      'The keepers were among the best paid men of their day, and the house had the finest view in the county.',
      'No doubt it was the most dangerous landing of the whole coast.',
      'It remains one of the oldest lights still in use.',
      'It was the first station in the country with running water.',
      "The lens was the world's largest when it was made.",
    ],
  },
  de: {
    figure: [
      'Der Turm war {n} Meter hoch.',
      'Mehr als {n} Besucher stiegen jeden Sommer hinauf.',
      'Die Reparatur verschlang {n} Pfund in einem einzigen Jahr.',
      'Es brauchte {w} Männer, um die Glocke herabzulassen.',
      'Etwa {n} Prozent der Mannschaft wurden krank.',
      'Die Zisterne fasste {n} Liter Regenwasser.',
    ],
    date: [
      'Die Station wurde am {d}. {m} {y} eröffnet.',
      'Ein Sturm zerstörte {y} den Anleger.',
      'Die letzte Mannschaft ging am {d}. {m} {y} von Bord.',
      'Im {m} {y} war die Arbeit beendet.',
      'Das Verbot wurde im Jahr {y} aufgehoben.',
      'Die neue Glocke kam im {m}.',
    ],
    name: [
      'Die Pläne zeichnete {p}.',
      'Es war {p}, die das Boot bezahlte.',
      'Die Steine kamen mit dem Schiff aus {o}.',
      'Ein Wärter aus {o} brachte den anderen das Knüpfen bei.',
      'Der Garten wurde für {p} angelegt.',
      'Jahre später kehrte {p} zurück.',
    ],
    quotation: [
      'Der Ingenieur nannte es „das einsamste Haus im ganzen Reich“.',
      '„Wir wussten nie, welcher Tag es war“, sagte einer der Wärter.',
      'Ein Brief spricht von „einem Geruch, den keine Seife vertrieb“.',
      'Die Behörde erwiderte, dass „Sparsamkeit vor Bequemlichkeit“ gehe.',
      'Besucher warnte ein Schild: »Das Glas nicht berühren, es beißt.«',
      'Jemand hatte „Gott helfe uns allen“ über die Koje geritzt.',
    ],
    cause: [
      'Der Mörtel hielt nicht, weil der Sand vom Strand stammte.',
      'Der Streit führte zu einem neuen Vertrag für die Mannschaft.',
      'Der Handel an der Küste ging infolge des Nebels zurück.',
      'Die Wärter erkrankten wegen des schlechten Wassers.',
      'Das Feuer wurde von einem Raucher verursacht.',
      'Dank des Telegrafen kam das Boot pünktlich.',
    ],
    superlative: [
      'Es war das höchste Gebäude an der Küste.',
      'Das Haus bot die schönste Aussicht der Gegend.',
      'Ohne Zweifel war es der gefährlichste Anleger der ganzen Küste.',
      'Es ist eines der ältesten Feuer, die noch brennen.',
      'Es war die erste Station des Landes mit fließendem Wasser.',
      'Am teuersten waren die Vorhänge.',
    ],
  },
  pl: {
    figure: [
      'Wieża miała {n} metrów wysokości.',
      'Co lato wchodziło na nią ponad {n} gości.',
      'Naprawa pochłonęła {n} funtów w ciągu roku.',
      'Do opuszczenia dzwonu potrzeba było {w} ludzi.',
      'Około {n} procent załogi zachorowało.',
      'Cysterna mieściła {n} litrów deszczówki.',
    ],
    date: [
      'Stację otwarto {d} {m} {y} roku.',
      'Sztorm zniszczył przystań w {y} roku.',
      'Ostatnia załoga odpłynęła {d} {m} {y} r.',
      'Prace skończono w {y} r.',
      'Zakaz zniesiono w roku {y}.',
      'Nowy dzwon przypłynął {d} {m}.',
    ],
    name: [
      'Plany narysował {p}.',
      'Za łódź zapłaciła {p}.',
      'Kamień zamówiono w {o}.',
      'Latarnik urodzony w {o} uczył innych wiązać sieci.',
      'Ogród założono na życzenie, które wyraziła {p}.',
      'Po latach wróciła tu {p}.',
    ],
    quotation: [
      'Inżynier nazwał go „najsamotniejszym domem w królestwie”.',
      '„Nigdy nie wiedzieliśmy, jaki jest dzień” – mówił jeden z latarników.',
      'List wspomina o „zapachu, którego nie wypędzi żadne mydło”.',
      'Zarząd odpisał, że „oszczędność idzie przed wygodą”.',
      'Gości ostrzegał napis: „Nie dotykać szkła, bo gryzie”.',
      'Ktoś wyrył nad pryczą „Boże, pomóż nam wszystkim”.',
    ],
    cause: [
      'Zaprawa puściła, ponieważ piasek wzięto z plaży.',
      'Spór doprowadził do nowej umowy dla załogi.',
      'Handel na wybrzeżu podupadł wskutek mgły.',
      'Latarnicy chorowali z powodu złej wody.',
      'Pożar spowodował nieostrożny palacz.',
      'Dzięki telegrafowi łódź przypływała na czas.',
    ],
    superlative: [
      'Był to najwyższy budynek na wybrzeżu.',
      'Z domu roztaczał się najpiękniejszy widok w okolicy.',
      'Bez wątpienia była to najniebezpieczniejsza przystań całego wybrzeża.',
      'To jedno z najstarszych świateł, jakie jeszcze świecą.',
      'Była to pierwsza stacja w kraju z bieżącą wodą.',
      'Nikt nie miał bardziej samotnej pracy, a dom uchodził za najzimniejszy w hrabstwie.',
    ],
  },
};

const SPELLED: Record<HonestLanguage, string[]> = {
  en: ['thirty-seven', 'sixteen', 'eighty', 'two hundred'],
  de: ['siebenunddreißig', 'sechzehn', 'achtzig', 'zweihundert'],
  pl: ['trzydziestu siedmiu', 'szesnastu', 'osiemdziesięciu', 'dwustu'],
};

/** Returns the inventions of a chapter: one or two of each kind, half of them cited. */
export function inventionsOf(
  chapter: number,
  language: HonestLanguage,
  random: (n: number) => number,
): Invention[] {
  const kinds = [...inventionKinds, ...inventionKinds.slice(chapter % 3, (chapter % 3) + 4)];
  return kinds.map((kind, n): Invention => {
    const templates = TEMPLATES[language][kind];
    const text = filled(templates[random(templates.length)]!, language, random);
    return { kind, language, text, isCited: (n + chapter) % 2 === 0 };
  });
}

function filled(template: string, language: HonestLanguage, random: (n: number) => number): string {
  const of = (words: string[]) => words[random(words.length)]!;
  const text = template
    .replace('{n}', () => String([53, 77, 93, 640, 2_750, 8_300][random(6)]! + random(7) * 2))
    .replace('{w}', () => of(SPELLED[language]))
    .replace('{y}', () => String(1_740 + random(60)))
    .replace('{d}', () => String(13 + random(6)))
    .replace('{p}', () => of(SLOTS[language]['p']!))
    .replace('{o}', () => of(SLOTS[language]['o']!))
    .replace('{m}', () => of(SLOTS[language]['m']!));
  return text.charAt(0).toUpperCase() + text.slice(1);
}
