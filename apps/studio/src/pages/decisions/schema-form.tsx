import { FileInput, Group, NumberInput, Radio, Select, Stack, Text } from '@mantine/core';
import { useRunWords } from '../../ui/run-words';
import {
  choicesOf,
  initialAnswer,
  isRecord,
  isReferenceChoice,
  type AnswerValue,
  type JsonSchema,
} from '../../ui/json-schema';
import { ValueField } from '../../ui/value-field';
import { formatMeasure } from '../../ui/format';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { inputsOf } from '../../api/documents';
import { Hint } from '../../ui/frames';

/** Field of an answer to a cost budget: typed in the currency's unit, and counted in millionths. */
const MONEY = 'add_cost';

interface FieldProps {
  schema: JsonSchema;
  value: AnswerValue | undefined;
  onChange: (value: AnswerValue) => void;
  /** Name of the field in the schema. */
  name?: string;
  required?: boolean | undefined;
  /** Returns known facts about a field, such as the location of a reference. */
  describe: (name: string) => string | null;
  /** Session with the files that may replace a reference. */
  sessionId: string;
}

/** Form generated from a JSON Schema, for the questions of any kind of run. */
export function SchemaForm(props: FieldProps) {
  const { schema, value } = props;
  if (isReferenceChoice(schema)) return <ReferenceField {...props} />;
  if (!schema.properties) return <ScalarField {...props} />;
  const values = isRecord(value) ? value : {};
  return (
    <Stack gap="sm">
      {Object.entries(schema.properties).map(([inner, field]) => (
        <SchemaForm
          {...props}
          key={inner}
          schema={field}
          name={inner}
          required={schema.required?.includes(inner)}
          value={values[inner]}
          onChange={(next) => props.onChange({ ...values, [inner]: next })}
        />
      ))}
    </Stack>
  );
}

const MILLION = 1_000_000;

function ScalarField({ schema, name = '', value, onChange, required, describe }: FieldProps) {
  const words = useRunWords();
  const choices = choicesOf(schema);
  const shared = { label: words.field(name), description: describe(name) ?? schema.description, required };
  if (choices)
    return (
      <Radio.Group {...shared} value={String(value ?? '')} onChange={onChange}>
        <Group gap="lg" mt={4}>
          {choices.map((choice) => (
            <Radio key={choice} value={choice} label={words.choice(choice)} />
          ))}
        </Group>
      </Radio.Group>
    );
  if (name === MONEY)
    return (
      <NumberInput
        {...shared}
        value={typeof value === 'number' ? value / MILLION : ''}
        min={1 / MILLION}
        max={schema.maximum && schema.maximum / MILLION}
        decimalScale={6}
        decimalSeparator={formatMeasure(0, 1).charAt(1)}
        onChange={(amount) => typeof amount === 'number' && onChange(Math.round(amount * MILLION))}
      />
    );
  return (
    <ValueField
      {...shared}
      schema={schema}
      value={value}
      onChange={(next) => onChange((next as AnswerValue | undefined) ?? initialAnswer(schema))}
    />
  );
}

/** Prefix of an answer that names a file of the session. */
const USED = 'use:';

/** Field for a missing file, whose name is the reference in the source: upload it, use a file of the session, or omit it. */
function ReferenceField({ name = '', describe, sessionId, value, onChange }: FieldProps) {
  const { t } = useTranslation();
  const inputs = useQuery(inputsOf(sessionId)).data?.items ?? [];
  const used = typeof value === 'string' && value.startsWith(USED) ? value.slice(USED.length) : null;
  const place = describe(name);
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      {place && <Hint size="xs">{place}</Hint>}
      <Group align="center" gap="md">
        <Radio label={t('decision.skip')} checked={value === 'skip'} onChange={() => onChange('skip')} />
        <FileInput
          aria-label={t('decision.upload', { ref: name })}
          placeholder={t('decision.uploadShort')}
          value={value instanceof File ? value : null}
          onChange={(chosen) => onChange(chosen ?? '')}
          clearable
          maw={260}
        />
        {inputs.length > 0 && (
          <Select
            aria-label={t('decision.use', { ref: name })}
            placeholder={t('decision.useShort')}
            data={inputs.map((input) => input.name)}
            value={used}
            onChange={(chosen) => onChange(chosen === null ? '' : USED + chosen)}
            clearable
            searchable
            w={300}
            maw="100%"
          />
        )}
      </Group>
    </Stack>
  );
}
