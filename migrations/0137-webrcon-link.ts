import type { QueryInterface } from "sequelize";

/**
 * Stores the address and the password of a survival server's WebRCON console. Adds reasons for lost commands: the
 * console's connection ends before or after a command is sent.
 */
export async function up(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    alter table survival_servers add column rcon_host text not null default '',
      add column rcon_port integer not null default 28016 check (rcon_port between 1 and 65535),
      add column rcon_password_sealed text,
      add column rcon_tls boolean not null default false;
    alter table plugin_commands drop constraint plugin_commands_loss_check,
      add constraint plugin_commands_loss_check
        check (loss in ('unwritten', 'restarted', 'overdue', 'unsent', 'disconnected'));
  `);
}

export async function down(queries: QueryInterface): Promise<void> {
  await queries.sequelize.query(`
    update plugin_commands set loss = 'unwritten' where loss = 'unsent';
    update plugin_commands set loss = 'restarted' where loss = 'disconnected';
    alter table plugin_commands drop constraint plugin_commands_loss_check,
      add constraint plugin_commands_loss_check
        check (loss in ('unwritten', 'restarted', 'overdue'));
    alter table survival_servers drop column rcon_host, drop column rcon_port,
      drop column rcon_password_sealed, drop column rcon_tls;
  `);
}
