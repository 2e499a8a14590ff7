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
import { Hint } from '../../ui/card';

/** Field of an answer to a cost budget, in millionths of the currency. */
const MONEY = 'add_cost';

interface FieldProps {
  schema: JsonSchema;
  value: AnswerValue | undefined;
  onChange: (value: AnswerValue) => void;
  /** Name of the field in the schema. */
  name?: string;
  required?: boolean;
  /** Returns known facts about a field, such as the location of a reference. */
  describe: (name: string) => string | null;
  /** Session with the files that may replace a reference. */
  sessionId: string;
}

/** Form generated from a JSON Schema, for the questions of any kind of run. */
export function SchemaForm(props: FieldProps) {
  const { schema, name = '', value, onChange, describe, sessionId } = props;
  if (isReferenceChoice(schema))
    return (
      <ReferenceField
        reference={name}
        place={describe(name)}
        sessionId={sessionId}
        value={value}
        onChange={onChange}
      />
    );
  if (schema.properties)
    return (
      <Stack gap="sm">
        {Object.entries(schema.properties).map(([inner, field]) => (
          <SchemaForm
            key={inner}
            schema={field}
            name={inner}
            required={schema.required?.includes(inner)}
            describe={describe}
            sessionId={sessionId}
            value={isRecord(value) ? value[inner] : undefined}
            onChange={(next) => onChange({ ...(isRecord(value) ? value : {}), [inner]: next })}
          />
        ))}
      </Stack>
    );
  return <ScalarField {...props} />;
}

function ScalarField({ schema, name = '', value, onChange, required, describe }: FieldProps) {
  const words = useRunWords();
  const label = words.field(name);
  const choices = choicesOf(schema);
  const description = describe(name) ?? schema.description;
  if (choices)
    return (
      <Radio.Group
        label={label}
        description={description}
        value={String(value ?? '')}
        onChange={onChange}
        required={required}
      >
        <Group gap="lg" mt={4}>
          {choices.map((choice) => (
            <Radio key={choice} value={choice} label={words.choice(choice)} />
          ))}
        </Group>
      </Radio.Group>
    );
  if (name === MONEY)
    return (
      <MoneyField
        label={label}
        required={required}
        value={typeof value === 'number' ? value : undefined}
        max={schema.maximum}
        onChange={onChange}
      />
    );
  return (
    <ValueField
      label={label}
      description={description}
      schema={schema}
      required={required}
      value={value}
      onChange={(next) => onChange((next as AnswerValue | undefined) ?? initialAnswer(schema))}
    />
  );
}

const MILLION = 1_000_000;

interface MoneyFieldProps {
  label: string;
  required: boolean | undefined;
  /** Millionths of the currency; undefined if nothing is typed. */
  value: number | undefined;
  max: number | undefined;
  onChange: (millionths: number) => void;
}

/** Input of an amount of money in the currency's unit, which the service counts in millionths. */
function MoneyField({ label, required, value, max, onChange }: MoneyFieldProps) {
  return (
    <NumberInput
      label={label}
      required={required}
      value={value === undefined ? '' : value / MILLION}
      min={1 / MILLION}
      max={max === undefined ? undefined : max / MILLION}
      decimalScale={6}
      decimalSeparator={formatMeasure(0, 1).charAt(1)}
      onChange={(amount) => typeof amount === 'number' && onChange(Math.round(amount * MILLION))}
    />
  );
}

interface ReferenceFieldProps {
  /** Reference as written in the source. */
  reference: string;
  /** Location of the reference. */
  place: string | null;
  sessionId: string;
  value: AnswerValue | undefined;
  onChange: (value: AnswerValue) => void;
}

/** Prefix of an answer that names a file of the session. */
const USED = 'use:';

/** Field for a missing file: upload it, use a file of the session, or omit it. */
function ReferenceField({ reference, place, sessionId, value, onChange }: ReferenceFieldProps) {
  const { t } = useTranslation();
  const inputs = useQuery(inputsOf(sessionId)).data?.items ?? [];
  const used = typeof value === 'string' && value.startsWith(USED) ? value.slice(USED.length) : null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {reference}
      </Text>
      {place && <Hint size="xs">{place}</Hint>}
      <Group align="center" gap="md">
        <Radio label={t('decision.skip')} checked={value === 'skip'} onChange={() => onChange('skip')} />
        <FileInput
          aria-label={t('decision.upload', { ref: reference })}
          placeholder={t('decision.uploadShort')}
          value={value instanceof File ? value : null}
          onChange={(chosen) => onChange(chosen ?? '')}
          clearable
          maw={260}
        />
        {inputs.length > 0 && (
          <Select
            aria-label={t('decision.use', { ref: reference })}
            placeholder={t('decision.useShort')}
            data={inputs.map(({ name }) => name)}
            value={used}
            onChange={(name) => onChange(name === null ? '' : USED + name)}
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
