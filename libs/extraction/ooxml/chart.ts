import { readXml } from '../xml.js';
import { numberText } from './number-text.js';
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

/** Points of a series by their places. */
type Points = Map<number, string>;

interface Series {
  name: string;
  categories: Points;
  values: Points;
  sizes: Points;
}

/** Text and data of a chart. */
interface ChartText {
  /** Titles of the chart and its axes, and custom labels. */
  titles: string[];
  /** Data as a table: categories first, then one column for each series. Empty without data. */
  rows: string[][];
}

const TITLES = new Set(['c:title', 'c:dLbl', 'c:txPr', 'c:trendlineLbl', 'c:dispUnitsLbl']);
/** More points than this are not shown by any chart. */
const MOST_POINTS = 100_000;

/** Reads a chart's titles and the data that it shows, which the file stores with it. */
function chartText(xml: string): ChartText {
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

/** Values of a column of data, by the index of their point. */
type Column = Map<number, string>;

interface DataSet {
  categories: Column[];
  values: Column[];
}

/** Returns whether a chart has the format of newer kinds (since Office 2016), such as a treemap or a waterfall. */
function isExtendedChart(xml: string): boolean {
  let root = '';
  readXml(xml, { open: (name) => void (root ||= name), close: () => undefined });
  return root === 'cx:chartSpace';
}

/** Reads the titles and the data of a chart for which `isExtendedChart` is true. */
function extendedChartText(xml: string): ChartText {
  const reader = new ExtendedChartReader();
  readXml(xml, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  return { titles: reader.titles, rows: reader.rows() };
}

class ExtendedChartReader {
  readonly titles: string[] = [];
  private readonly data = new Map<string, DataSet>();
  /** Names of the series and the IDs of their data. */
  private readonly series: { name: string; dataId: string }[] = [];
  private current: DataSet | null = null;
  private column: Column | null = null;
  private isNumeric = false;
  private format = '';
  private index = 0;
  private points = 0;
  private value = '';
  private textIn = '';
  private depthInTitle = 0;
  private title: { stored: string; typed: string } = { stored: '', typed: '' };

  open(name: string, attributes: Record<string, string>): void {
    this.value = '';
    this.textIn = name;
    if (name === 'cx:data') {
      this.current = { categories: [], values: [] };
      this.data.set(attributes['id'] ?? '', this.current);
    } else if (name === 'cx:strDim' || name === 'cx:numDim') this.isNumeric = name === 'cx:numDim';
    else if (name === 'cx:lvl') this.beginColumn(attributes['formatCode'] ?? '');
    else if (name === 'cx:pt') this.index = Number(attributes['idx']) || 0;
    else if (name === 'cx:title') this.depthInTitle++;
    else if (name === 'cx:series') this.series.push({ name: '', dataId: '' });
    else if (name === 'cx:dataId' && this.series.length > 0)
      this.series.at(-1)!.dataId = attributes['val'] ?? '';
  }

  text(text: string): void {
    if (['cx:pt', 'cx:v', 'a:t'].includes(this.textIn)) this.value += text;
  }

  close(name: string): void {
    this.textIn = '';
    if (name === 'cx:pt') this.point();
    else if (name === 'cx:lvl') this.column = null;
    else if (name === 'cx:data') this.current = null;
    else if (name === 'cx:title') this.endTitle();
    else if (name === 'cx:v' && this.depthInTitle > 0) this.title.stored += this.value;
    else if (name === 'a:t' && this.depthInTitle > 0) this.title.typed += this.value;
    else if (name === 'cx:v' && this.series.length > 0) this.series.at(-1)!.name += this.value;
  }

  /** Returns the data as a table: the categories of each data set, then its values. */
  rows(): string[][] {
    const columns = [...this.data].flatMap(([id, { categories, values }]) => {
      const names = this.series
        .filter(({ dataId, name }) => dataId === id && name !== '')
        .map(({ name }) => name);
      const own = [
        ...categories.map((points) => ({ head: '', points })),
        ...values.map((points) => ({ head: '', points })),
      ];
      const named = own[categories.length] ?? own[0];
      if (named) named.head = names.join(', ');
      return own;
    });
    const places = new Set(columns.flatMap(({ points }) => [...points.keys()]));
    if (places.size === 0) return [];
    const heads = columns.map(({ head }) => head);
    return [
      heads,
      ...[...places].sort((a, b) => a - b).map((at) => columns.map(({ points }) => points.get(at) ?? '')),
    ];
  }

  private beginColumn(format: string): void {
    this.format = format;
    this.column = new Map();
    (this.isNumeric ? this.current?.values : this.current?.categories)?.push(this.column);
  }

  private point(): void {
    if (this.points++ >= MOST_POINTS) return;
    this.column?.set(this.index, this.isNumeric ? numberText(this.value, this.format) : this.value);
  }

  /** Ends a title. Prefers the stored text, which the styled text repeats. */
  private endTitle(): void {
    if (--this.depthInTitle > 0) return;
    const words = (this.title.stored || this.title.typed).trim();
    if (words !== '') this.titles.push(words);
    this.title = { stored: '', typed: '' };
  }
}
