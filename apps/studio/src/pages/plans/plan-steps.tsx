import { List, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { PlanTask } from '../../api/plans';

/** Maximum number of characters shown of an argument. */
const SHOWN = 120;

/** Lists the steps of a suggested plan in words: what each tool does, and with which arguments. */
export function PlanSteps({ tasks }: { tasks: readonly PlanTask[] }) {
  const { t } = useTranslation();
  const inWords = (value: unknown): string => {
    if (typeof value === 'string') return value.slice(0, SHOWN);
    const from = (value as { $from?: unknown } | null)?.$from;
    if (typeof from === 'string') return t('plans.resultOf', { task: from });
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return JSON.stringify(value).slice(0, SHOWN);
    const parts = Object.entries(value).map(([name, part]) => `${name}: ${inWords(part)}`);
    return parts.join(', ').slice(0, SHOWN);
  };
  return (
    <List type="ordered" size="sm" aria-label={t('plans.steps')}>
      {tasks.map(({ id, tool, purpose, arguments: args }) => (
        <List.Item key={id}>
          <strong>{id}</strong>: {purpose ?? t(`tool.${tool}`, { defaultValue: tool })}
          {Object.entries(args).map(([name, value]) => (
            <Text key={name} size="sm" c="dimmed">
              {name}: {inWords(value)}
            </Text>
          ))}
        </List.Item>
      ))}
    </List>
  );
}
