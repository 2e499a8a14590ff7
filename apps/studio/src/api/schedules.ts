import { queryOptions } from '@tanstack/react-query';
import { apiQuery, change } from './api-query';
import { call, type Schemas } from './client';

export type Schedule = Schemas['Schedule'];

export const schedulesQuery = apiQuery(['schedules'], '/api/schedules', {});

export const scheduleQuery = (id: string) =>
  apiQuery(['schedules', id], '/api/schedules/{schedule_id}', { schedule_id: id });

/** Query for the next ten planned times of a timing that is not stored yet. */
export const plannedTimesQuery = (cron: string, timeZone: string) =>
  queryOptions({
    queryKey: ['planned-times', cron, timeZone],
    queryFn: () => call('POST /api/schedules/preview', { body: { cron, time_zone: timeZone } }),
    retry: false,
  });

/** @throws ApiProblem */
export const createSchedule = (body: Schemas['NewSchedule']) =>
  change('POST /api/schedules', { body }, ['schedules']);

/** @throws ApiProblem */
export const changeSchedule = (id: string, body: Schemas['ScheduleChanges']) =>
  change('PATCH /api/schedules/{schedule_id}', { schedule_id: id, body }, ['schedules']);

/** Starts a run of the schedule now. @throws ApiProblem */
export const fireSchedule = (id: string) =>
  change('POST /api/schedules/{schedule_id}/fire', { schedule_id: id }, ['schedules']);

/** @throws ApiProblem */
export const deleteSchedule = (id: string) =>
  change('DELETE /api/schedules/{schedule_id}', { schedule_id: id }, ['schedules']);
