<?php
// Installs WordPress without its pages: php wordpress.php FOLDER THEME... It makes two posts for each theme, and others
// whose links are unusual, and prints the links with the uids that the plugin of the guide makes of them.

[, $folder] = $argv;
$themes = array_slice($argv, 2);
define('WP_INSTALLING', !file_exists("$folder/installed"));

// WordPress writes to its new administrator.
function wp_mail()
{
    return true;
}

require "$folder/wp-load.php";
if (WP_INSTALLING) {
    require ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_install('A blog', 'admin', 'admin@example.com', false, '', wp_generate_password());
    touch("$folder/installed");
    exit;
}
require ABSPATH . 'wp-admin/includes/plugin.php';

function made(array $fields): int
{
    $words = ['post_status' => 'publish', 'comment_status' => 'open', 'post_content' => 'Words.'];
    $id = wp_insert_post($fields + $words, true);
    if (is_wp_error($id)) {
        throw new Exception($id->get_error_message());
    }
    return $id;
}

$plugin = activate_plugin('confab/confab.php');
if (is_wp_error($plugin)) {
    throw new Exception($plugin->get_error_message());
}
global $wp_rewrite;
$wp_rewrite->set_permalink_structure('/%year%/%postname%/');
$wp_rewrite->flush_rules(false);
foreach ($themes as $theme) {
    switch_theme($theme);
    wp_update_custom_css_post(file_get_contents("$folder/style.css"));
    made(['post_title' => 'The first post', 'post_name' => "first-$theme"]);
    made(['post_title' => 'The second post', 'post_name' => "日本-$theme"]);
}
made(['post_title' => 'Protected', 'post_name' => 'protected', 'post_password' => 'secret']);
made(['post_title' => 'Closed', 'post_name' => 'closed', 'comment_status' => 'closed']);
$page = made(['post_title' => 'A page', 'post_name' => 'a-page', 'post_type' => 'page']);
made(['post_title' => 'Ein Blatt & 日本', 'post_name' => 'schöne-日本', 'post_type' => 'page', 'post_parent' => $page]);

$found = [];
foreach (['/%year%/%postname%/', '/archives/%post_id%', ''] as $structure) {
    $wp_rewrite->set_permalink_structure($structure);
    foreach (get_posts(['post_type' => ['post', 'page'], 'numberposts' => -1]) as $post) {
        setup_postdata($GLOBALS['post'] = $post);
        $found[] = [get_permalink($post), confab_uid()];
    }
}
$wp_rewrite->set_permalink_structure('/%year%/%postname%/');
echo json_encode($found);
