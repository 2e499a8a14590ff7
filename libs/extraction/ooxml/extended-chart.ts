import { readXml } from '../xml.js';
import type { ChartText } from './chart.js';
import { numberText } from './number-text.js';

/** Values of a column of data, by the index of their point. */
type Column = Map<number, string>;

interface DataSet {
  categories: Column[];
  values: Column[];
}

/** More points than this are not shown by any chart. */
const MOST_POINTS = 100_000;

/** Returns whether a chart has the format of newer kinds (since Office 2016), such as a treemap or a waterfall. */
export function isExtendedChart(xml: string): boolean {
  let root = '';
  readXml(xml, { open: (name) => void (root ||= name), close: () => undefined });
  return root === 'cx:chartSpace';
}

/** Reads the titles and the data of a chart for which `isExtendedChart` is true. */
export function extendedChartText(xml: string): ChartText {
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
