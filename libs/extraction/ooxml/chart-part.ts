import { readXml } from '../xml.js';
import { chartText, type ChartText } from './chart.js';
import { extendedChartText, isExtendedChart } from './extended-chart.js';
import type { OfficePackage } from './package.js';

/** Reads a chart and the shapes drawn on it; null if the file does not contain the part. */
export function readChart(parts: OfficePackage, path: string): ChartText | null {
  const xml = parts.text(path);
  if (xml === null) return null;
  const { titles, rows } = isExtendedChart(xml) ? extendedChartText(xml) : chartText(xml);
  const shapes = [...parts.relationshipsOf(path).values()]
    .filter(({ type }) => type === 'chartUserShapes')
    .flatMap(({ target }) => paragraphsOf(parts.text(target)));
  return { titles: [...titles, ...shapes], rows };
}

/** Returns the titles of a chart, and the words of each row of its data; null if the file does not contain the part. */
export function chartWords(parts: OfficePackage, path: string): string[] | null {
  const chart = readChart(parts, path);
  return chart && [...chart.titles, ...chart.rows.map((row) => row.join(' ').trim())];
}

function paragraphsOf(xml: string | null): string[] {
  const found: string[] = [];
  let words = '';
  let isText = false;
  readXml(xml ?? '<none/>', {
    open: (name) => void (isText = name === 'a:t'),
    text: (text) => void (isText && (words += text)),
    close: (name) => {
      isText = false;
      if (name !== 'a:p') return;
      if (words.trim() !== '') found.push(words.trim());
      words = '';
    },
  });
  return found;
}
