import { cutAt } from '#contracts/text.js';
import { replaceIllegalXmlChars } from '#office/docx/write/xml.js';
import { scaleBand, scaleLinear, type ScaleLinear } from 'd3-scale';
import { arc, line, pie, type PieArcDatum } from 'd3-shape';

export interface Series {
  name: string;
  numbers: number[];
}

interface Chart {
  kind: 'bar' | 'line' | 'pie';
  title: string | null;
  labels: string[];
  series: Series[];
}

const WIDTH = 800;
const HEIGHT = 450;
const MARGIN = { top: 50, right: 170, bottom: 70, left: 80 };
const TICKS = 6;
/** Labels below the axis before some are left out. */
const MAX_LABELS = 20;
const LABEL_LENGTH = 24;
/** Colours that stay apart for colour-blind readers (Okabe and Ito). */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#999999', '#f0e442'];

/** Returns a chart as an SVG document; the same chart gives the same text. */
export function drawChart(chart: Chart): string {
  const title = chart.title ?? chart.series.map(({ name }) => name).join(', ');
  const body = chart.kind === 'pie' ? pieOf(chart) : axesOf(chart);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    textAt(WIDTH / 2, 28, title, 'text-anchor="middle" font-size="16" font-weight="bold"'),
    ...body,
    '</svg>\n',
  ].join('\n');
}

function axesOf(chart: Chart): string[] {
  const all = chart.series.flatMap(({ numbers }) => numbers);
  // Bars and lines start at zero: a cut axis exaggerates differences.
  const y = scaleLinear()
    .domain([Math.min(0, ...all), Math.max(0, ...all)])
    .nice(TICKS)
    .range([HEIGHT - MARGIN.bottom, MARGIN.top]);
  const x = scaleBand<number>()
    .domain(chart.labels.map((_, index) => index))
    .range([MARGIN.left, WIDTH - MARGIN.right])
    .padding(0.2);
  const marks = chart.kind === 'bar' ? barsOf(chart, x, y) : linesOf(chart, x, y);
  const legend = legendOf(chart.series.map(({ name }) => name));
  return [...gridOf(y), ...marks, ...labelsOf(chart.labels, x), ...(chart.series.length > 1 ? legend : [])];
}

type Bands = ReturnType<typeof scaleBand<number>>;
type Linear = ScaleLinear<number, number>;

function gridOf(y: Linear): string[] {
  const format = y.tickFormat(TICKS);
  return y.ticks(TICKS).flatMap((tick) => {
    const at = round(y(tick));
    const colour = tick === 0 ? '#333333' : '#dddddd';
    return [
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at}" y2="${at}" stroke="${colour}"/>`,
      textAt(MARGIN.left - 8, at + 4, format(tick), 'text-anchor="end"'),
    ];
  });
}

function barsOf({ series, labels }: Chart, x: Bands, y: Linear): string[] {
  const width = x.bandwidth() / series.length;
  return series.flatMap(({ name, numbers }, place) =>
    numbers.map((number, index) => {
      const [top, bottom] = [y(Math.max(0, number)), y(Math.min(0, number))];
      const left = x(index)! + place * width;
      return `<rect x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(bottom - top)}" fill="${COLOURS[place]}"><title>${escaped(`${labels[index]}, ${name}: ${number}`)}</title></rect>`;
    }),
  );
}

function linesOf({ series, labels }: Chart, x: Bands, y: Linear): string[] {
  const middle = (index: number) => x(index)! + x.bandwidth() / 2;
  const path = line<number>(
    (_, index) => round(middle(index)),
    (number) => round(y(number)),
  );
  return series.flatMap(({ name, numbers }, place) => [
    `<path d="${path(numbers)}" fill="none" stroke="${COLOURS[place]}" stroke-width="2"/>`,
    ...numbers.map(
      (number, index) =>
        `<circle cx="${round(middle(index))}" cy="${round(y(number))}" r="3" fill="${COLOURS[place]}"><title>${escaped(`${labels[index]}, ${name}: ${number}`)}</title></circle>`,
    ),
  ]);
}

function labelsOf(labels: string[], x: Bands): string[] {
  const every = Math.ceil(labels.length / MAX_LABELS);
  const isCrowded = labels.length > 6;
  return labels.flatMap((label, index) => {
    if (index % every !== 0) return [];
    const [left, top] = [round(x(index)! + x.bandwidth() / 2), HEIGHT - MARGIN.bottom + 18];
    return [
      isCrowded
        ? textAt(left, top, label, `text-anchor="end" transform="rotate(-35 ${left} ${top})"`)
        : textAt(left, top, label, 'text-anchor="middle"'),
    ];
  });
}

function pieOf({ labels, series }: Chart): string[] {
  const { numbers } = series[0]!;
  const slices = pie<number>().sort(null)(numbers);
  const radius = (HEIGHT - MARGIN.top - 40) / 2;
  const shape = arc<PieArcDatum<number>>().innerRadius(0).outerRadius(radius);
  const paths = slices.map(
    (slice, index) =>
      `<path d="${shape(slice)}" fill="${COLOURS[index % COLOURS.length]}" stroke="#ffffff"><title>${escaped(`${labels[index]}: ${slice.data}`)}</title></path>`,
  );
  const total = numbers.reduce((sum, number) => sum + number, 0);
  const shares = labels.map((label, index) => {
    const share = total === 0 ? 0 : (100 * numbers[index]!) / total;
    return `${label}: ${numbers[index]} (${share.toFixed(1)} %)`;
  });
  return [
    `<g transform="translate(${MARGIN.left + radius + 40} ${MARGIN.top + radius + 10})">`,
    ...paths,
    '</g>',
    ...legendOf(shares.slice(0, MAX_LABELS), 240),
  ];
}

function legendOf(names: string[], width = MARGIN.right - 20): string[] {
  const left = WIDTH - width - 10;
  return names.flatMap((name, index) => {
    const top = MARGIN.top + index * 18;
    return [
      `<rect x="${left}" y="${top}" width="12" height="12" fill="${COLOURS[index % COLOURS.length]}"/>`,
      textAt(left + 18, top + 10, name, '', 40),
    ];
  });
}

function textAt(x: number, y: number, text: string, attributes: string, length = LABEL_LENGTH): string {
  const limit = attributes.includes('font-size') ? 80 : length;
  const shown = text.length > limit ? `${cutAt(text, limit - 1)}…` : text;
  return `<text x="${x}" y="${y}"${attributes && ` ${attributes}`}>${escaped(shown)}</text>`;
}

const round = (value: number): number => Math.round(value * 100) / 100;

function escaped(text: string): string {
  return replaceIllegalXmlChars(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
