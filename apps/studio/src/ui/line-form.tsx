import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemAlert } from './frames';
import { Form } from './actions';

interface Field<Name extends string> {
  name: Name;
  label: string;
  placeholder: string;
  maxLength: number;
  /** Width in pixels; if omitted, the field fills the rest of the line. */
  width?: number;
  /** Hides what is typed. */
  isSecret?: boolean;
}

interface LineFormProps<Name extends string> {
  fields: readonly Field<Name>[];
  /** Label of the button. */
  action: string;
  /** Submits the trimmed values. @throws ApiProblem */
  onSubmit: (values: Record<Name, string>) => Promise<unknown>;
}

/** Form of a few required words on one line; cleared after submission. */
export function LineForm<Name extends string>({ fields, action, onSubmit }: LineFormProps<Name>) {
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({});
  const textOf = (name: Name) => typed[name] ?? '';
  const sending = useMutation({
    mutationFn: () =>
      onSubmit(
        Object.fromEntries(fields.map(({ name }) => [name, textOf(name).trim()])) as Record<Name, string>,
      ),
    onSuccess: () => setTyped({}),
  });
  return (
    <Form onSubmit={() => sending.mutate()}>
      <Stack gap="sm">
        <Group align="flex-end">
          {fields.map(({ name, width, isSecret, ...field }) => (
            <TextInput
              key={name}
              {...(width === undefined ? { flex: 1, miw: 220 } : { w: width })}
              {...(isSecret && { type: 'password', autoComplete: 'new-password' })}
              {...field}
              value={textOf(name)}
              onChange={({ currentTarget }) => {
                const { value } = currentTarget;
                setTyped((known) => ({ ...known, [name]: value }));
              }}
            />
          ))}
          <Button
            type="submit"
            loading={sending.isPending}
            disabled={fields.some(({ name }) => textOf(name).trim() === '')}
          >
            {action}
          </Button>
        </Group>
        {sending.error && <ProblemAlert error={sending.error} />}
      </Stack>
    </Form>
  );
}
