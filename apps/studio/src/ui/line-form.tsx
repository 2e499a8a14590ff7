import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ProblemAlert } from './frames';
import { Form, textProps } from './actions';

interface Field<Name extends string> {
  name: Name;
  label: string;
  placeholder?: string;
  description?: string;
  maxLength: number;
  /** What it contains at first, and after submission. */
  initial?: string;
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
  onSubmit: (values: Record<Name, string>) => unknown;
  /** Further buttons. */
  children?: ReactNode;
}

/** Form of a few required words on one line, which are typed again after submission. */
export function LineForm<Name extends string>({ fields, action, onSubmit, children }: LineFormProps<Name>) {
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({});
  const textOf = ({ name, initial = '' }: Field<Name>) => typed[name] ?? initial;
  const sending = useMutation({
    mutationFn: async () => {
      const values = fields.map((field) => [field.name, textOf(field).trim()]);
      await onSubmit(Object.fromEntries(values) as Record<Name, string>);
    },
    onSuccess: () => setTyped({}),
  });
  return (
    <Form onSubmit={() => sending.mutate()}>
      <Stack gap="sm">
        <Group align="flex-end">
          {fields.map((field) => {
            const { name, width, isSecret, initial: _, ...shown } = field;
            return (
              <TextInput
                key={name}
                {...(width === undefined ? { flex: 1, miw: 220 } : { w: width })}
                {...(isSecret && { type: 'password', autoComplete: 'new-password' })}
                {...shown}
                {...textProps(textOf(field), (text) => setTyped((known) => ({ ...known, [name]: text })))}
              />
            );
          })}
          <Button
            type="submit"
            loading={sending.isPending}
            disabled={fields.some((field) => textOf(field).trim() === '')}
          >
            {action}
          </Button>
          {children}
        </Group>
        {sending.error && <ProblemAlert error={sending.error} />}
      </Stack>
    </Form>
  );
}
