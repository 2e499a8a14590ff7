/** Words of the texts and queries: made of syllables, few of them frequent, most of them rare, as in a language. */
const VOCABULARY = 60_000;
const SYLLABLES = 'ba ko ri ten mo la su ver in ta pre con ar est ul om dex fi gra no'.split(' ');
const ENDINGS = ['', '', 's', 'ing', 'ed'];
const FUNCTION_WORDS = 'the of and to in is that for it with as was on are by this be at from or'.split(' ');

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const vocabulary = (() => {
  const random = randomOf(0);
  const pick = (from: string[]) => from[Math.floor(random() * from.length)]!;
  return Array.from({ length: VOCABULARY }, () => {
    const stem = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join('');
    return stem + pick(ENDINGS);
  });
})();

/** Returns a word with the frequency of its rank (Zipf's law); every third word is a function word. */
function word(random: () => number): string {
  if (random() < 0.35) return FUNCTION_WORDS[Math.floor(random() ** 2 * FUNCTION_WORDS.length)]!;
  return vocabulary[Math.floor(VOCABULARY ** random()) - 1] ?? vocabulary[0]!;
}

/** A source of about 90 passages, or fewer with fewer parts. */
export function sourceText(seed: number, parts = 12): string {
  const random = randomOf(seed + 1_000);
  const sentence = () => `${Array.from({ length: 12 }, () => word(random)).join(' ')}.`;
  const paragraph = () => Array.from({ length: 8 }, sentence).join(' ');
  const sections = Array.from(
    { length: parts },
    (_, at) => `## Part ${at}\n\n${Array.from({ length: 10 }, paragraph).join('\n\n')}`,
  );
  return `# Source ${seed}\n\n${sections.join('\n\n')}\n`;
}

/** Questions of four to ten words. */
export function sampleQueries(count: number): string[] {
  const random = randomOf(7);
  return Array.from({ length: count }, () =>
    Array.from({ length: 4 + Math.floor(random() * 7) }, () => word(random)).join(' '),
  );
}
