import { platformCatalogue } from '../catalogue.js';
import { buildToolbox } from '../toolbox.js';
import { CoUseGraph, confidenceOf } from './tool-index.js';
import { pageRank } from './tool-index.js';
import { ToolIndex, type SearchableTool } from './tool-index.js';
import fc from 'fast-check';

const tool = (
  name: string,
  description: string,
  parameters: Record<string, string> = {},
): SearchableTool => ({
  name,
  description,
  parameters,
});
const tools = [
  tool('getWeatherForecast', 'Weather of the next days', { city: 'name of the city' }),
  tool('convert_currency', 'Change an amount of money', { rate: 'exchange rate of the day' }),
  tool('bookHotel', 'Reserve a room', { city: 'where to stay' }),
  tool('findFlights', 'Flights between two airports', { from: 'airport', to: 'airport' }),
];
const names = (index: ToolIndex, request: string) => index.search(request, 5).map(({ name }) => name);
const used = (requests: [string, string[]][], edges: [string, string][] = []) => {
  const coUse = new CoUseGraph();
  for (const [from, to] of edges) coUse.observe(from, to);
  return new ToolIndex(tools, { requests: new Map(requests), edges: coUse.all() });
};

describe('retrieval of tools', () => {
  it('P7 finds a tool by the parts of its name, by its description and by its parameters', () => {
    const index = new ToolIndex(tools);
    expect(names(index, 'weather forecasts')).toEqual(['getWeatherForecast']);
    expect(names(index, 'reserve rooms')).toEqual(['bookHotel']);
    expect(names(index, 'exchange rate')).toEqual(['convert_currency']);
    expect(names(index, 'airports')).toEqual(['findFlights']);
  });

  it.each([
    ['spreadsheet', 'read_table'],
    ['translate to German', 'call_model'],
    ['Übersetze den Brief ins Englische', 'call_model'],
    ['Przetłumacz list', 'call_model'],
    ['arkusz kalkulacyjny', 'read_table'],
    ['pie chart of the sales', 'draw_chart'],
    ['every file, one by one', 'map'],
  ])('P7 finds the tool for "%s" by everyday words', (request, name) => {
    const { index } = buildToolbox(platformCatalogue);
    expect(names(index, request)[0]).toBe(name);
  });

  it('P7 combines words and meaning, and ranks tools found by both first', () => {
    const index = new ToolIndex(tools);
    const similarities = new Map([
      ['bookHotel', 0.8],
      ['findFlights', 0.7],
      ['getWeatherForecast', 0.1],
      ['convert_currency', 0.1],
    ]);
    const found = index.search('flights and a bed', 5, similarities);
    expect(found.map(({ name }) => name)).toEqual(['findFlights', 'bookHotel']);
    expect(found.map(({ meaning }) => meaning)).toEqual([expect.any(Number), 1]);
  });

  it('P7 returns nothing for a request that shares no word with any tool', () => {
    expect(names(new ToolIndex(tools), 'zzz of the')).toEqual([]);
    expect(names(new ToolIndex([]), 'weather')).toEqual([]);
  });

  it('P9 finds a tool by the past requests of its users, once there are enough', () => {
    const said = Array.from({ length: 20 }, () => 'will I need an umbrella');
    expect(names(new ToolIndex(tools), 'umbrella tomorrow')).toEqual([]);
    expect(names(used([['getWeatherForecast', said]]), 'umbrella tomorrow')).toEqual(['getWeatherForecast']);
  });

  it('P9 a single use of another tool does not displace an exact match', () => {
    const index = used([['bookHotel', ['weather in Paris for my trip']]]);
    expect(names(index, 'weather')[0]).toBe('getWeatherForecast');
  });

  it('P9 adds a tool that is often used together with a found one', () => {
    const often = Array.from({ length: 30 }, (): [string, string] => ['findFlights', 'bookHotel']);
    expect(names(new ToolIndex(tools), 'flights')).not.toContain('bookHotel');
    expect(names(used([], often), 'flights')).toEqual(['findFlights', 'bookHotel']);
  });

  it('P9 an edge starts with count 1 and confidence 0.5, and gains 0.1 per use up to 1', () => {
    const coUse = new CoUseGraph();
    const seen = Array.from({ length: 8 }, () => {
      coUse.observe('a', 'b');
      return coUse.confidence('a', 'b');
    });
    expect(seen.map((confidence) => Number(confidence.toFixed(9)))).toEqual([
      0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1,
    ]);
    expect(coUse.all()).toEqual([{ from: 'a', to: 'b', count: 8, confidence: confidenceOf(8) }]);
    expect(coUse.confidence('b', 'a')).toBe(0);
    coUse.observe('a', 'a');
    expect(coUse.all()).toHaveLength(1);
  });

  it("P9 importance is the PageRank of the whole graph: tools that a tenant's paths lead to rank highest", () => {
    const importance = used(
      [],
      [
        ['findFlights', 'bookHotel'],
        ['getWeatherForecast', 'bookHotel'],
      ],
    ).importance();
    expect([...importance.values()].reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 6);
    expect(Math.max(...importance.values())).toBe(importance.get('bookHotel'));
  });
});

describe('PageRank', () => {
  const graph = fc.integer({ min: 1, max: 12 }).chain((nodes) =>
    fc.record({
      seeds: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: nodes, maxLength: nodes }),
      edges: fc.array(
        fc.record({
          from: fc.nat(nodes - 1),
          to: fc.nat(nodes - 1),
          weight: fc.integer({ min: 1, max: 9 }),
        }),
        { maxLength: 40 },
      ),
      damping: fc.constantFrom(0.1, 0.5, 0.85),
    }),
  );

  it('P9 sums to 1 and is a fixed point of the walk', () => {
    fc.assert(
      fc.property(graph, ({ seeds, edges, damping }) => {
        const ranks = pageRank(seeds, edges, damping);
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 6);
        const total = seeds.reduce((sum, seed) => sum + seed, 0);
        const start = seeds.map((seed) => (total > 0 ? seed / total : 1 / seeds.length));
        const out = seeds.map((_, node) =>
          edges.filter(({ from }) => from === node).reduce((sum, { weight }) => sum + weight, 0),
        );
        const next = start.map((share, node) => {
          const arrived = edges
            .filter(({ to }) => to === node)
            .reduce((sum, { from, weight }) => sum + (ranks[from]! * weight) / out[from]!, 0);
          const stranded = ranks.reduce((sum, rank, other) => (out[other] === 0 ? sum + rank : sum), 0);
          return (1 - damping) * share + damping * (arrived + stranded * share);
        });
        next.forEach((rank, node) => expect(Math.abs(rank - ranks[node]!)).toBeLessThan(1e-3));
      }),
    );
  });
});
