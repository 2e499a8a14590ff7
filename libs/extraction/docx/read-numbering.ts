import { Numbering } from '../numbering.js';
import { isOn, readXml } from '../xml.js';

/** Reads the definitions of lists of a Word file. @param xml `numbering.xml`; null if it is missing */
export function readNumbering(xml: string | null): Numbering {
  const numbering = new Numbering();
  if (xml === null) return numbering;
  let abstract = '';
  let number = '';
  let index = '';
  const level = () =>
    number === '' ? numbering.describe(abstract, index) : numbering.describeOwn(number, index);
  readXml(xml, {
    open: (name, attributes) => {
      const value = attributes['w:val'] ?? '';
      if (name === 'w:abstractNum') abstract = attributes['w:abstractNumId'] ?? '';
      else if (name === 'w:num') number = attributes['w:numId'] ?? '';
      else if (name === 'w:abstractNumId' && number !== '') numbering.addList(number, value);
      else if (name === 'w:lvl' || name === 'w:lvlOverride') index = attributes['w:ilvl'] ?? '';
      else if (name === 'w:startOverride') numbering.restart(number, index, Number(value) || 0);
      else if (name === 'w:start') level().start = Number(value) || 0;
      else if (name === 'w:numFmt') level().format = value;
      else if (name === 'w:lvlText') level().text = value;
      else if (name === 'w:isLgl') level().isLegal = isOn(value);
      else if (name === 'w:lvlRestart') level().restarts = value !== '0';
    },
    close: (name) => {
      if (name === 'w:num') number = '';
    },
  });
  return numbering;
}
