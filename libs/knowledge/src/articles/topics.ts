import { detectLanguage } from '../text/languages.js';
import { stemsOf } from '../text/stems.js';

/** Words that say nothing of a topic, in the languages of the platform. */
const EMPTY = new Set(
  'about after also been from have into more most over some than that their them then there these they this what when where which while will with your oraz jako przez przed jest czyli kiedy które który która jakie jaki jaka dlaczego między gdzie tego tych także'.split(
    ' ',
  ),
);

function stemSet(topic: string, language: string | null): Set<string> {
  const words = topic.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !EMPTY.has(word) && (word.length > 3 || /\p{N}/u.test(word)));
  return new Set(stemsOf((telling.length > 0 ? telling : words).join(' '), language));
}

/** How much two topics say the same by their words, 0 to 1: the Dice coefficient of the stems of words that tell something. */
export function topicSimilarity(one: string, other: string): number {
  const language = detectLanguage(`${one} ${other}`);
  const [a, b] = [stemSet(one, language), stemSet(other, language)];
  if (a.size === 0 || b.size === 0) return 0;
  const shared = [...a].filter((stem) => b.has(stem)).length;
  return (2 * shared) / (a.size + b.size);
}
