import { READER_LANGUAGES } from '#contracts/phrases/translator.js';

/**
 * Returns the language that an `Accept-Language` header prefers among those with texts; English if it accepts none.
 *
 * @returns primary BCP 47 tag, such as `de`
 */
export function acceptedLanguage(header: string | undefined): string {
  const accepted = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { language: tag.split('-')[0]!, quality: Number(quality) };
  });
  const known = accepted.filter(
    ({ language, quality }) => quality > 0 && READER_LANGUAGES.some((tag) => tag === language),
  );
  return known.sort((a, b) => b.quality - a.quality)[0]?.language ?? 'en';
}
