import { Button, FileButton, Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { LeftOut } from '../api/source-files';
import { LeftOutFiles } from './left-out-files';
import { ProblemAlert } from './problem-alert';

interface AddFilesAsProps<As extends string> {
  /** What the button says. */
  label: string;
  /** What the files may be added as, and what that choice is called. */
  choices: { value: As; label: string }[];
  choiceLabel: string;
  initial: As;
  /** @returns the files that were left out @throws ApiProblem */
  onAdd: (files: File[], as: As) => Promise<LeftOut[]>;
}

/** Takes files, and what they are to be. */
export function AddFilesAs<As extends string>(props: AddFilesAsProps<As>) {
  const { label, choices, choiceLabel, initial, onAdd } = props;
  const [as, setAs] = useState(initial);
  const adding = useMutation({ mutationFn: (files: File[]) => onAdd(files, as) });
  return (
    <>
      <Group align="flex-end">
        <Select
          label={choiceLabel}
          data={choices}
          value={as}
          onChange={(value) => setAs(value ?? initial)}
          allowDeselect={false}
          w={180}
        />
        <FileButton multiple onChange={(files) => files.length > 0 && adding.mutate(files)}>
          {(button) => (
            <Button loading={adding.isPending} {...button}>
              {label}
            </Button>
          )}
        </FileButton>
      </Group>
      {adding.error && <ProblemAlert error={adding.error} />}
      <LeftOutFiles leftOut={adding.data ?? []} />
    </>
  );
}
