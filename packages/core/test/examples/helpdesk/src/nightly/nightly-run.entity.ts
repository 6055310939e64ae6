import { Entity, PrimaryColumn } from 'typeorm';

/** A night whose reminders were sent. */
@Entity('nightly_runs')
export class NightlyRun {
  @PrimaryColumn('date')
  day: string;
}
