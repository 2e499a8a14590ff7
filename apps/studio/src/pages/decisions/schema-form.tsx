import { Checkbox, Group, NumberInput, Radio, Stack, TagsInput, Textarea } from '@mantine/core';
import { useRunWords } from '../../ui/run-words';
import { MoneyField } from './money-field';
import { ReferenceField } from './reference-field';
import { choicesOf, isRecord, isReferenceChoice, type AnswerValue, type JsonSchema } from './schema';

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
  const words = useRunWords();
  const label = words.field(name);
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
  if (schema.type === 'boolean')
    return (
      <Checkbox
        label={label}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  if (schema.type === 'array')
    return (
      <TagsInput
        label={label}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(list) => onChange(list)}
      />
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
  if (schema.type === 'integer' || schema.type === 'number')
    return (
      <NumberInput
        label={label}
        description={description}
        value={typeof value === 'number' ? value : ''}
        min={schema.minimum}
        max={schema.maximum}
        allowDecimal={schema.type === 'number'}
        onChange={(number) => typeof number === 'number' && onChange(number)}
        required={required}
      />
    );
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={2}
      maxLength={schema.maxLength}
      required={required}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
