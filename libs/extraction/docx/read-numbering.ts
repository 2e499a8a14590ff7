import { Numbering } from '../numbering.js';
import { isOn, readXml } from '../xml.js';

/** Reads the definitions of lists of a Word file. @param xml `numbering.xml`; null if it is missing */
export function readNumbering(xml: string | null): Numbering {
  const numbering = new Numbering();
  if (xml === null) return numbering;
  let abstract = '';
  let number = '';
  let index = '';
  let fallbacks = 0;
  const level = () =>
    number === '' ? numbering.describe(abstract, index) : numbering.describeOwn(number, index);
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'mc:Fallback') fallbacks++;
      if (fallbacks > 0) return;
      const value = attributes['w:val'] ?? '';
      if (name === 'w:abstractNum') abstract = attributes['w:abstractNumId'] ?? '';
      else if (name === 'w:num') number = attributes['w:numId'] ?? '';
      else if (name === 'w:abstractNumId' && number !== '') numbering.addList(number, value);
      else if (name === 'w:lvl' || name === 'w:lvlOverride') index = attributes['w:ilvl'] ?? '';
      else if (name === 'w:startOverride') numbering.restart(number, index, Number(value) || 0);
      else if (name === 'w:start') level().start = Number(value) || 0;
      else if (name === 'w:numFmt') {
        const pattern = attributes['w:format']?.split(',')[0]?.trim();
        Object.assign(level(), { format: value, ...(pattern === undefined ? {} : { pattern }) });
      } else if (name === 'w:lvlText') level().text = value;
      else if (name === 'w:isLgl') level().isLegal = isOn(value);
      else if (name === 'w:lvlRestart') level().restartedBy = Number(value) || 0;
      else if (name === 'w:pStyle') level().style = value;
      else if (name === 'w:numStyleLink') numbering.link(abstract, value);
      else if (name === 'w:styleLink') numbering.nameStyle(abstract, value);
    },
    close: (name) => {
      if (name === 'mc:Fallback') fallbacks--;
      if (name === 'w:num') number = '';
    },
  });
  return numbering;
}
