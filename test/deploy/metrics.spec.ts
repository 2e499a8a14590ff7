import { processRegistry, serviceRegistry } from '#telemetry/metrics.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TENANT_ROLE } from '#db/client.js';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(join(process.cwd(), path), 'utf8');

/** Metric → names of its series. */
const series = new Map(
  [...processRegistry.getMetricsAsArray(), ...serviceRegistry.getMetricsAsArray()].map((metric) => {
    const { name, type }: { name: string; type?: string } = Object(metric);
    const isHistogram = type === 'histogram' || 'upperBounds' in metric;
    return [name, isHistogram ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]] as const;
  }),
);
const known = new Set([...series.values()].flat());
const namesIn = (expression: string) => [...new Set(expression.match(/\bscriptorium_\w+/g) ?? [])];

interface Dashboard {
  panels: { id: number; title: string; targets?: { expr: string }[] }[];
}

describe('the dashboard, the alerts and docs/OPERATIONS.md', () => {
  const dashboard = JSON.parse(read('deploy/grafana/scriptorium.json')) as Dashboard;
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules);

  it('query existing series', () => {
    expect(queries.length).toBeGreaterThan(20);
    const asked = [...queries, ...alerts.map(({ expr }) => expr)].flatMap(namesIn);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it('show every metric', () => {
    const shown = new Set(queries.flatMap(namesIn));
    const missing = [...series].filter(([, names]) => !names.some((name) => shown.has(name)));
    expect(missing.map(([name]) => name)).toEqual([]);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it('explain every metric and every alert', () => {
    const text = read('docs/OPERATIONS.md');
    const explained = new Set(text.match(/\bscriptorium_\w+/g));
    expect([...series.keys()].filter((name) => !explained.has(name))).toEqual([]);
    const unknown = [...explained].filter((name) => !series.has(name) && !known.has(name));
    expect(unknown.filter((name) => name !== TENANT_ROLE)).toEqual([]);
    expect(alerts.map(({ alert }) => alert).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
