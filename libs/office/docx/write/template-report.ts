import type { WordTemplateReport } from '#contracts/api/word-template-schemas.js';
import { NotDocxError, readReference } from './reference.js';
import { STYLES } from './styles.js';

/** Width of a twentieth of a point. */
const MILLIMETRES = 25.4 / 1440;

/** Entry point of `runApart`: reads a Word template. Returns null if the bytes are not a Word file. */
export default function templateReport(bytes: Uint8Array): WordTemplateReport | null {
  try {
    return reportOf(bytes);
  } catch (error) {
    if (error instanceof NotDocxError) return null;
    throw error;
  }
}

function reportOf(bytes: Uint8Array): WordTemplateReport {
  const { addedStyles, section, layout } = readReference(bytes);
  const has = (element: string) => section.headers.some((header) => header.element === element);
  return {
    styles: STYLES.map(({ name }) => name).filter((name) => !addedStyles.includes(name)),
    missing_styles: addedStyles,
    has_header: has('w:headerReference'),
    has_footer: has('w:footerReference'),
    page: layout && {
      width: Math.round(layout.width * MILLIMETRES),
      height: Math.round(layout.height * MILLIMETRES),
    },
  };
}
