#!/bin/bash

# The helpers of YunoHost read this variable, and set those of the app.
# shellcheck disable=SC2034,SC2154
nodejs_version=26

install_package() {
	ynh_hide_warnings ynh_exec_as_app npm install --prefix "$install_dir" --omit=dev --no-audit --no-fund \
		"confab-server@$(ynh_app_upstream_version)"
}

add_settings() {
	ynh_config_add --template="confab.yaml" --destination="$install_dir/confab.yaml"
	# It has the passphrase.
	chown "$app:$app" "$install_dir/confab.yaml"
	chmod 400 "$install_dir/confab.yaml"
	ynh_config_add --template="confab.sh" --destination="$install_dir/confab"
	chmod 755 "$install_dir/confab"
}

confab() {
	ynh_exec_as_app "$install_dir/confab" "$@"
}

add_service() {
	yunohost service add "$app" --description="Collaboration server" --log="systemd"
}

start_service() {
	ynh_systemctl --service="$app" --action=start --log_path=systemd --wait_until="listens on"
}
