import { readXml } from '../xml.js';
import { numberText } from './number-text.js';

/** Points of a series by their places. */
type Points = Map<number, string>;

interface Series {
  name: string;
  categories: Points;
  values: Points;
  sizes: Points;
}

/** Text and data of a chart. */
export interface ChartText {
  /** Titles of the chart and its axes, and custom labels. */
  titles: string[];
  /** Data as a table: categories first, then one column for each series. Empty without data. */
  rows: string[][];
}

const TITLES = new Set(['c:title', 'c:dLbl', 'c:txPr', 'c:trendlineLbl', 'c:dispUnitsLbl']);
/** More points than this are not shown by any chart. */
const MOST_POINTS = 100_000;

/** Reads a chart's titles and the data that it shows, which the file stores with it. */
export function chartText(xml: string): ChartText {
  const titles: string[] = [];
  const series: Series[] = [];
  let titleDepth = 0;
  let title = '';
  let target: Points | null = null;
  let inName = false;
  let inText = false;
  let index = 0;
  let format = '';
  let points = 0;
  let value = '';
  readXml(xml, {
    open: (name, attributes) => {
      inText = ['c:v', 'a:t', 'c:formatCode', 'c:name'].includes(name);
      value = '';
      if (TITLES.has(name)) titleDepth++;
      if (name === 'c:ser')
        series.push({ name: '', categories: new Map(), values: new Map(), sizes: new Map() });
      const current = series.at(-1);
      if (name === 'c:tx' && titleDepth === 0) inName = true;
      else if (name === 'c:cat' || name === 'c:xVal') target = current?.categories ?? null;
      else if (name === 'c:val' || name === 'c:yVal') target = current?.values ?? null;
      else if (name === 'c:bubbleSize') target = current?.sizes ?? null;
      else if (name === 'c:numCache' || name === 'c:numLit') format = '';
      else if (name === 'c:pt') index = Number(attributes['idx']) || 0;
    },
    text: (text) => void (inText && (value += text)),
    close: (name) => {
      inText = false;
      if (name === 'c:formatCode') format = value;
      else if (name === 'c:name' && series.length > 0 && value.trim() !== '') titles.push(value.trim());
      else if (name === 'a:t' && titleDepth > 0) title += value;
      else if (name === 'c:v' && inName) series.at(-1)!.name += value;
      else if (name === 'c:v' && titleDepth > 0) title += value;
      else if (name === 'c:v' && target && points++ < MOST_POINTS)
        target.set(index, [target.get(index), numberText(value, format)].filter(Boolean).join(' '));
      else if (name === 'c:tx') inName = false;
      else if (/^c:(?:cat|val|xVal|yVal|bubbleSize)$/.test(name)) {
        target = null;
        format = '';
      } else if (TITLES.has(name) && --titleDepth === 0) {
        if (title.trim() !== '') titles.push(title.trim());
        title = '';
      }
    },
  });
  return { titles, rows: rowsOf(series) };
}

/** Returns the rows of the chart's table. Series with the same categories share one column of categories. */
function rowsOf(series: readonly Series[]): string[][] {
  const columns: { head: string; points: Points }[] = [];
  let shared = '';
  for (const { name, categories, values, sizes } of series) {
    const key = JSON.stringify([...categories]);
    if (key !== shared && categories.size > 0) columns.push({ head: '', points: categories });
    shared = key;
    columns.push({ head: name, points: values });
    if (sizes.size > 0) columns.push({ head: '', points: sizes });
  }
  const places = new Set(columns.flatMap(({ points }) => [...points.keys()]));
  if (places.size === 0) return [];
  return [
    columns.map(({ head }) => head),
    ...[...places].sort((a, b) => a - b).map((place) => columns.map(({ points }) => points.get(place) ?? '')),
  ];
}
