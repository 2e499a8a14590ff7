import { detectLanguage } from '#knowledge/text/languages.js';
import { stemsOf } from '#knowledge/text/stems.js';

/** Words that carry no topic, in the languages of the platform. */
const EMPTY = new Set(
  `a about after all also an and are as at be been but by can do does for from has have how if in into is it its more most not of on one
  or our over so some than that the their them then there these they this to was we were what when where which while who why will with you
  your a aby ale bez być był była było były co czy czyli dla do dlaczego gdy gdzie i ich ile jak jaka jaki jakie jako jego jej jest już
  każdy kiedy która które który ku lub ma mają między na nad nie o od oraz po pod przed przez przy są się ta tak także te tego ten to
  tych tym u w we z za ze że`.split(/\s+/),
);

function stemSet(topic: string, language: string | null): Set<string> {
  const words = topic.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !EMPTY.has(word));
  return new Set(stemsOf((telling.length > 0 ? telling : words).join(' '), language));
}

/**
 * Returns the similarity of two topics by their words, 0 to 1: the Dice coefficient of the stems without stop
 * words.
 */
export function topicSimilarity(one: string, other: string): number {
  const language = detectLanguage(`${one} ${other}`);
  const [a, b] = [stemSet(one, language), stemSet(other, language)];
  if (a.size === 0 || b.size === 0) return 0;
  const shared = [...a].filter((stem) => b.has(stem)).length;
  return (2 * shared) / (a.size + b.size);
}
