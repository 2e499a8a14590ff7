import { Text } from '@mantine/core';
import './bar-chart.css';

interface BarChartProps {
  label: string;
  bars: readonly { name: string; value: number }[];
  format: (value: number) => string;
}

/** Shows figures as bars; screen readers get them as a list. */
export function BarChart({ label, bars, format }: BarChartProps) {
  const highest = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <figure className="bar-chart">
      <figcaption>
        <Text fw={600}>{label}</Text>
        <Text size="xs" c="dimmed">
          {bars[0]?.name} – {bars.at(-1)?.name}, max. {format(highest)}
        </Text>
      </figcaption>
      <ul className="bars">
        {bars.map(({ name, value }) => (
          <li key={name} title={`${name}: ${format(value)}`}>
            <span className="visually-hidden">
              {name}: {format(value)}
            </span>
            <span className="bar" style={{ height: `${highest === 0 ? 0 : (value / highest) * 100}%` }} />
          </li>
        ))}
      </ul>
    </figure>
  );
}
