import { Code, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import type { Schemas } from '../../api/client';
import { stepQuery } from '../../api/history';
import { isBlockingError } from '../../api/query-client';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { useTab } from '../../ui/use-tab';

type Values = Schemas['RunStep']['output'];

/** State key of the messages to the model. */
const PROMPT = 'messages';
const PARTS = ['output', 'input', 'prompt'] as const;

/** Shows the input of a step, the model's messages, and the step's output. */
export function StepState({ runId, checkpointId }: { runId: string; checkpointId: string }) {
  const { t } = useTranslation();
  const [part, setPart] = useTab('output', 'part');
  const { data, error, refetch } = useQuery(stepQuery(runId, checkpointId));
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader />;
  const parts: Record<(typeof PARTS)[number], Values> = {
    output: data.output.filter(({ key }) => key !== PROMPT || data.input.length > 0),
    input: data.input.filter(({ key }) => key !== PROMPT),
    prompt: (data.input.length > 0 ? data.input : data.output).filter(({ key }) => key === PROMPT),
  };
  return (
    <Tabs value={part} onChange={setPart} keepMounted={false}>
      <Tabs.List mb="sm">
        {PARTS.filter((name) => parts[name].length > 0).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`stepState.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {PARTS.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {parts[name].map((value) => (
            <Value key={value.key} value={value} />
          ))}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Value({ value: { key, json, chars } }: { value: Values[number] }) {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="xs" fw={600}>
        {key}
      </Text>
      <Code block className="step-value" tabIndex={0}>
        {readable(json)}
      </Code>
      {chars > json.length && (
        <Text size="xs" c="dimmed">
          {t('stepState.cut', { shown: json.length, all: chars })}
        </Text>
      )}
    </div>
  );
}

/** Formats JSON with one value per line. Truncated text cannot be parsed and stays unchanged. */
function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 1);
  } catch {
    return json;
  }
}
