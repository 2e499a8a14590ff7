import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from './form';
import { ProblemAlert } from './problem-alert';

interface SendFormProps {
  /** Label of the button. */
  label: string;
  isDisabled?: boolean;
  /** Sends what is typed. @throws ApiProblem */
  send: () => Promise<unknown>;
  children: ReactNode;
}

/** A form with a button that sends it, and why that failed. */
export function SendForm({ label, isDisabled = false, send, children }: SendFormProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: send });
  return (
    <Form onSubmit={() => mutate()}>
      <Stack>
        {children}
        {error && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={isDisabled}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
