/** The wars that a text may name instead of their years, by the numeral of the world war. */
const WORLD_WARS: [RegExp, number, number][] = [
  [
    /First World War|World War (?:I|1|One)(?!\p{L})|Great War|Erste[nrs]? Weltkrieg|(?<!I)I wojn\p{L}{1,3} światow|pierwsz\p{L}{1,3} wojn\p{L}{1,3} światow|Première Guerre|Primera Guerra/iu,
    1914,
    1918,
  ],
  [
    /Second World War|World War (?:II|2|Two)(?!\p{L})|Zweite[nrs]? Weltkrieg|II wojn\p{L}{1,3} światow|drug\p{L}{1,3} wojn\p{L}{1,3} światow|Seconde Guerre|Deuxième Guerre|Segunda Guerra/iu,
    1939,
    1945,
  ],
  // `After the war` may be either.
  [
    /(?<!\p{L})(?:the war|(?:dem|der|den|des) Kriege?s?|wojn(?:y|ie|ą)|la guerre|la guerra)(?!\p{L})/iu,
    1918,
    1945,
  ],
  [/Thirty Years['’] War|Dreißigjährige[nrs]? Krieg|wojn\p{L}{1,3} trzydziestoletni/iu, 1618, 1648],
];

/** Returns the first and last years of the wars that a text names. Linear. */
export const yearsOfWars = (text: string): number[] =>
  WORLD_WARS.flatMap(([name, from, to]) => (name.test(text) ? [from, to] : []));
