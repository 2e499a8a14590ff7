import { Text } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';
import './bar-chart.css';

interface BarChartProps {
  label: string;
  bars: readonly { name: string; value: number }[];
  format: (value: number) => string;
}

/** Shows figures as bars; screen readers get them as a list. */
export function BarChart({ label, bars, format }: BarChartProps) {
  const { t } = useTranslation();
  const highest = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <figure className="bar-chart">
      <figcaption>
        <Text fw={600}>{label}</Text>
        <Text size="xs" c="dimmed">
          {bars[0]?.name} – {bars.at(-1)?.name}
          {highest === 0 ? `: ${t('usage.nothing')}` : `, max. ${format(highest)}`}
        </Text>
      </figcaption>
      {highest > 0 && (
        <ul className="bars">
          {bars.map(({ name, value }) => (
            <li key={name} title={`${name}: ${format(value)}`}>
              <span className="visually-hidden">
                {name}: {format(value)}
              </span>
              <span className="bar" style={{ height: `${(value / highest) * 100}%` }} />
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}
