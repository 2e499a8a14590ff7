import { Button, FileButton, Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { LeftOut } from '../api/source-files';
import { LeftOutFiles } from './left-out-files';
import { ProblemAlert } from './frames';

interface AddFilesAsProps<As extends string> {
  /** Label of the button. */
  label: string;
  /** Choices for the purpose of the files, and the label of that field; without them, there is no field. */
  choices?: { value: As; label: string }[];
  choiceLabel?: string;
  initial: As;
  /** @returns the skipped files @throws ApiProblem */
  onAdd: (files: File[], as: As) => Promise<LeftOut[]>;
  /** Further actions. */
  children?: ReactNode;
}

/** Adds files with a chosen purpose. */
export function AddFilesAs<As extends string>(props: AddFilesAsProps<As>) {
  const { label, choices, choiceLabel, initial, onAdd, children } = props;
  const [as, setAs] = useState(initial);
  const adding = useMutation({ mutationFn: (files: File[]) => onAdd(files, as) });
  return (
    <>
      <Group align="flex-end">
        {choices && (
          <Select
            label={choiceLabel}
            data={choices}
            value={as}
            onChange={(value) => setAs(value ?? initial)}
            w={180}
          />
        )}
        <FileButton multiple onChange={(files) => files.length > 0 && adding.mutate(files)}>
          {(button) => (
            <Button variant={choices ? 'filled' : 'default'} loading={adding.isPending} {...button}>
              {label}
            </Button>
          )}
        </FileButton>
        {children}
      </Group>
      {adding.error && <ProblemAlert error={adding.error} />}
      <LeftOutFiles leftOut={adding.data ?? []} />
    </>
  );
}
