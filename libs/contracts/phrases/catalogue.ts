import type { PhraseCatalogue } from './render.js';

/** The texts of a language in `libs/locales/`: of each program, by area and code. */
export type Locale = Readonly<
  Record<'service' | 'files' | 'cli' | 'studio', Readonly<Record<string, PhraseCatalogue>>>
>;

/** Returns the texts of all programs but the studio by code. */
export const catalogueOf = ({ service, files, cli }: Locale): PhraseCatalogue =>
  Object.assign({}, ...[service, files, cli].flatMap((areas) => Object.values(areas)));
